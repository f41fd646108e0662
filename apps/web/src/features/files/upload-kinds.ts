/** The two boxes of `/prompt`: their titles, accepted files and texts. */
import { acceptedExtension, type FileType, furtherExtensions, messages } from '@pkdex/contract'

export type UploadKind = {
  fileType: FileType
  /** One extension, in lower case. */
  accepted: string
  /** Other extensions, selected with a separate picker. */
  further: readonly string[]
  furtherText: string
  /** Whether tables and pasted text can be imported. */
  takesTables: boolean
  title: string
  takes: string
  hint: string
  /** Extensions that belong in the other box, and the hint shown for them. */
  elsewhere: { extensions: readonly string[]; hint: string }
  /** Singular, for counts. */
  noun: string
  failed: string
}

/** Extensions of files that may contain a table of compounds. */
export const tableExtensions = [
  '.csv',
  '.tsv',
  '.smi',
  '.txt',
  '.xlsx',
  '.xlsm',
  '.sdf',
  '.sd',
  '.mol',
]

export const targetUploads: UploadKind = {
  fileType: 'protein_pdb',
  accepted: acceptedExtension.protein_pdb,
  further: furtherExtensions.protein_pdb,
  furtherText: 'Choose mmCIF, .gz or FASTA files',
  takesTables: false,
  title: 'Target(s)',
  takes: 'Protein structures, .pdb',
  hint: 'One protein per file; several files allowed.',
  elsewhere: {
    extensions: tableExtensions,
    hint: 'Drop compounds on Drug(s).',
  },
  noun: 'target',
  failed: messages.upload.failed('protein'),
}

export const compoundUploads: UploadKind = {
  fileType: 'drug_smiles',
  accepted: acceptedExtension.drug_smiles,
  further: furtherExtensions.drug_smiles,
  furtherText: '',
  takesTables: true,
  title: 'Drug(s)',
  takes: 'Compounds as SMILES, .txt',
  hint: 'One compound per line: SMILES, then name.',
  elsewhere: {
    extensions: ['.pdb', '.ent', '.cif', '.fasta'],
    hint: 'Drop structures on Target(s).',
  },
  noun: 'compound',
  failed: messages.upload.failed('compound'),
}
