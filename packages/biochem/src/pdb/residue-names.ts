/** The meaning of residue names: standard parent and letter, water, cap or buffer. Tables only, no geometry. */

/** Names from MODRES records of one file, added to these tables. */
export type NameTable = ReadonlyMap<string, string>

const aminoAcidLetters = new Map(
  pairs(
    'ALA A ARG R ASN N ASP D CYS C GLN Q GLU E GLY G HIS H ILE I LEU L LYS K MET M PHE F PRO P ' +
      'SER S THR T TRP W TYR Y VAL V SEC U PYL O ASX B GLX Z UNK X',
  ),
)

/** Three-letter names of the amino acids that have a one-letter code, `UNK` (X) last. */
export const aminoAcidNames: readonly string[] = [...aminoAcidLetters.keys()]

const nucleotideLetters = new Map(
  pairs('A a C c G g U u I n N n T t DA a DC c DG g DT t DU u DI n DN n'),
)

/**
 * Chemical modifications and D forms by parent, from the wwPDB's chemical component dictionary. Rarer ones have MODRES
 * records, or are read as X if their bonds place them in a chain.
 */
const modifiedByParent = {
  ALA: 'AIB ABA DAL ALN ALC AYA HAC MAA NAL ORN DAB TIH UMA AHP B2A B3A NCB DNP FLA DPP NPI NWD DDZ',
  ARG: 'AGM ARM DAR HAR HMR MMO CIR 2MR DA2 ARO NMM IAR DIR HRG MGG 4AR',
  ASN: 'MEN DSG AHB SNN XSN',
  ASP: 'BHD BFD DAS IAS PHD ASB ASK ASL ASA B3D DMK 0TD ASI TAV 3MD',
  CYS:
    'CSO CSS CME CSD OCS CAS SMC CSX YCM CCS CSW CSP CSR CSZ CSU CYD CYG CYQ CAF SCH SCS SCY BUC BCS BCX ' +
    'C5C C6C CEA CMT CMH CY0 CY1 CY3 CY4 CYF CYA CYR DCY EFC HTI M0H MCS NPH OCY P1L PEC PR3 PYX SHC SNC ' +
    'TNB R1A XCN QCS CS0 CS1 CS3 CS4 CSA CSB CSE CSJ CZ2 CZZ 2CO 143 JJJ JJK JJL AGT K1R C1S ECX ICY BPE',
  GLN: 'PCA MGN MEQ NLQ DGN GHG QMM ECC LMQ',
  GLU: 'CGU GMA DGL 5HP LME MEG 3GL GLQ GSU FGA B3E GME G01',
  GLY: 'SAR GL3 MPQ GLZ NMC MEU MSA IGL CHP LPG GHP GEE 5PG SHP',
  HIS: 'HIC NEP MHS 3AH DHI HSO 2HF MH1 HS8 HS9 HSV NZH HIA HIQ PSH OHI PVH 2SO',
  ILE: 'IIL DIL ILX TS9 IML 7JA B2I I2M BIU',
  LEU: 'NLE NLN NLP NLO DLE MLE MK8 LED HLU BLE CLE MLL MNL 2ML LEF LEN MHL FLE BTA WLU EXY',
  LYS:
    'KCX MLY M3L MLZ ALY LLP LYZ KPI KGC KST LYX LET LCX LYM LYR LBY KPY KYQ LCK LGY 5OW SLZ SHR TRG DLY ' +
    'CLG CLH API DLS HLY FDL FAK IEL KBE MCL PRK 6CL BTK CYJ ELY M2L ML3 KCR BLY FHL TLY LLY LYK 5MW',
  MET: 'MSE FME MHO SME CXM MED OMT MSO MME 2FM ESC KOR MSL 4CY AME MT2',
  PHE: 'PHI DPN PHL PPN F2F HPE FCL PFF PF5 PSA 23F BIF 1PA MEA NFA PBF PM3 SMF BNN 4PH 3CF DAH 4AF PHA 41H BB8 4CF 4BF T11',
  PRO: 'HYP DPR HY3 PCC POM PRS PR9 PH6 4FB PRJ FP9 MP8 2MT HZP PLJ PR4 PR7 N7P',
  SER:
    'SEP DSN SAC SVA SBL SDP SEB SEL SET SGB SUN SVV SVW SVX SVY SVZ OSE SEM SEN SNM MIR OAS BXT FGP GFT ' +
    'OLZ PG1 BSE DBS S1H SEE DHA AZS TNR BG1 4HH SDB',
  THR: 'TPO BMT ALO DTH TBM THC TH5 TH6 TMD TMB OLT OTH Z3E 26B DBU CTH',
  TRP: 'TRQ TRN TRO TRW TRX TRF TQQ HTR DTR LTR TTQ TOX 4IN 6CW BTR HRP PAT TCR FT6 4FW 0AF FTR KYN 4HT TPL',
  TYR:
    'PTR TYS TYI TYQ TYT TYY TYB TYO TYC TYN TPQ IYR NIY YOF OMX OMY STY MBQ MTY DTY TY1 TY2 TY3 TY5 TY8 TY9 ' +
    'TYE TYJ FTY PTM PTH DBY DPQ NBQ NTR ESB 3NF 3YM 4HL B3Y YPZ 1TY FLT AZY',
  VAL: 'DVA MVA FVA MNV NVA VAD VAF VAH HVA 2VA LVN TBG BUG DHN',
  UNK: '22Q 22W CRO CRQ CR2 CRF CSY NRQ CH6 CCY IEY PIA GYS CR8 CRK EYG MDO 5ZA 4M9',
} as const

/** Names that force fields and model builders give to protonation and bonding states. */
const forceFieldByParent = {
  ARG: 'ARN AR0 ARGN',
  ASP: 'ASH ASPH ASPP AS4 DIP',
  CYS: 'CYX CYM CYN CYS1 CYS2 CYSH CYSS CYSP',
  GLU: 'GLH GLUH GLUP GL4',
  HIS: 'HID HIE HIP HSD HSE HSP HISA HISB HISD HISE HISH HISP HIS1 HIS2',
  LYS: 'LYN LYSH LYP LSN',
  TRP: 'TRY',
  TYR: 'TYM',
} as const

/** Caps end a chain but are not residues of it, in SEQRES and in the coordinates. */
const caps = words('ACE NH2 NME NMA NHE FOR MYR BOC CBZ PHQ')

const waters = words('HOH WAT DOD H2O TIP TIP2 TIP3 TIP4 TIP5 T3P T4P TP3 TP4 TP5 SOL SPC SPCE')

/** Points that are not atoms: membrane planes, pseudo atoms. */
const markers = words('DUM DMY')

const additives = words(
  'SO4 PO4 GOL EDO PEG PG4 PGE 1PE P6G 2PE P33 PE4 PE8 XPE 15P 12P PEU MPD MRD DMS ACT ACY FMT CIT FLC TLA ' +
    'TAR MLI MLT MES EPE TRS BTB HED BME DTT DTV IPA IOH EOH MOH POL BU1 BU3 PDO NO3 SCN CO3 BCT AZI ' +
    'NH4 IMD CAC B3P BOG LDA OLC OLB OLA C8E SDS URE GAI SIN ACN DOX DIO CCN P4G PUT ' +
    'EGL ETF PGO PGR PGQ PG0 PG5 PG6 1BO TBU BCN CPS TAM MPO PIN CXS NHE 1PS TAU SUL',
)

const sugars = words(
  'NAG NDG NGA A2G MAN BMA GAL GLA GLC BGC FUC FUL XYP XYS SIA SLB FRU SUC MAL TRE LAT RIB GCU ADA IDS',
)

/** Cofactors of enzymes, and their analogues in crystals. */
export const cofactors: ReadonlySet<string> = words(
  'HEM HEC HEA HEB HAS FAD FMN NAD NAI NAP NDP ATP ADP AMP ANP ACP AGS GTP GDP GNP GCP GSP SAM SAH SFG COA ACO ' +
    'PLP PMP TPP TDP BTN BH4 H4B H2B THG FOL DHF THF B12 COB CNC GSH GTT SF4 FES F3S CLA CHL UDP UPG MTA',
)

const modifiedAminoAcids = inverted(modifiedByParent, forceFieldByParent)

const modifiedNucleotides = inverted({
  A: '1MA 2MA 6MZ MA6 MIA A2M RA ADE RA5 RA3 A5 A3 T6A 12A',
  C: '5MC OMC RC CYT RC5 RC3 C5 C3 4OC CBV 5IC CCC',
  G: '2MG 7MG M2G OMG 1MG YYG YG RG GUA RG5 RG3 G5 G3 QUO G7M GDP GTP',
  U: 'PSU H2U 5MU 4SU OMU UR3 RU URA URI RU5 RU3 U5 U3 5BU SSU 70U 3TD',
  DA: 'DA5 DA3 DAN 6MA A43',
  DC: 'DC5 DC3 DCN 5CM CBR 5HC 1CC DOC',
  DG: 'DG5 DG3 DGN 8OG 6OG GF2',
  DT: 'DT5 DT3 THY TTD 5PY',
  DU: 'BRU',
})

/** The standard amino acid of a residue name; null if there is none. MODRES records override our table. */
export function aminoAcidParent(name: string, modres: NameTable): string | null {
  if (aminoAcidLetters.has(name)) return name
  const written = modres.get(name)
  if (written !== undefined && aminoAcidLetters.has(written)) return written
  return modifiedAminoAcids.get(name) ?? terminalParent(name)
}

/** The standard nucleotide of a residue name; null if there is none. */
export function nucleotideParent(name: string, modres: NameTable): string | null {
  if (nucleotideLetters.has(name)) return name
  const written = modres.get(name)
  if (written !== undefined && nucleotideLetters.has(written)) return written
  return modifiedNucleotides.get(name) ?? null
}

/** One-letter code (IUPAC) of a standard parent; `X` for any other name. */
export function aminoAcidLetter(parent: string): string {
  return aminoAcidLetters.get(parent) ?? 'X'
}

/** `a c g u t` of a standard parent; `n` for any other name. */
export function nucleotideLetter(parent: string): string {
  return nucleotideLetters.get(parent) ?? 'n'
}

/** Names of water in the PDB and in force fields. */
export function isWater(name: string): boolean {
  return waters.has(name)
}

/** Names of points that are not atoms. */
export function isMarker(name: string): boolean {
  return markers.has(name)
}

/** Names of groups that end a chain without being a residue of it. */
export function isCap(name: string): boolean {
  return caps.has(name)
}

/** Salts, cryoprotectants and detergents that come from the crystal's mother liquor. */
export function isAdditive(name: string): boolean {
  return additives.has(name)
}

/** Sugars of glycans and crystallisation media. */
export function isSugar(name: string): boolean {
  return sugars.has(name)
}

/** Force fields name the terminal residues of a chain NALA and CALA. */
function terminalParent(name: string): string | null {
  if (name.length !== 4 || !/^[NC]/.test(name)) return null
  const rest = name.slice(1)
  return aminoAcidLetters.has(rest) ? rest : (modifiedAminoAcids.get(rest) ?? null)
}

function inverted(...tables: Readonly<Record<string, string>>[]): Map<string, string> {
  const parents = new Map<string, string>()
  for (const [parent, names] of tables.flatMap((table) => Object.entries(table))) {
    for (const name of names.split(' ')) parents.set(name, parent)
  }
  return parents
}

function pairs(text: string): [string, string][] {
  return [...text.matchAll(/(\S+) (\S+)/g)].map(([, name = '', letter = '']) => [name, letter])
}

function words(text: string): Set<string> {
  return new Set(text.split(' '))
}
