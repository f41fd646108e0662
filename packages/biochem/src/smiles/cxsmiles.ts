/**
 * Reads the extension behind a SMILES, `SMILES |…|` (CXSMILES, as ChemAxon and RDKit write it). Nothing
 * in it is used: what would make the SMILES another molecule is refused, and anything else is a warning.
 */
import { clipText } from '../sentences.ts'

export type ExtensionReading = { ok: true; warnings: string[] } | { ok: false; reason: string }

const PART = 'The part between bars (CXSMILES)'
const LABEL_CHARACTERS = 20

/** Parts of an extension begin it or follow a comma, and each begins with its own mark. */
const refusals: readonly (readonly [mark: RegExp, reason: string])[] = [
  [
    /(?:^|,)\^\d/,
    'makes this a radical; leave that part out and write the radical in the SMILES, as in C[CH2].',
  ],
  [/(?:^|,)(?:rb|s|u):/, 'makes this a query for many molecules: this is not one molecule.'],
  [
    /(?:^|,)(?:RG:|LO:|LOG|LN:|m:|Sg:(?!gen))/,
    'describes groups, places or repeats that vary: this is not one molecule.',
  ],
  [/(?:^|,)[CHZ]:/, 'turns bonds into others (dative, hydrogen or zero-order); leave it out.'],
]

/** Mixtures and unknowns: `&1:`, `o1:`, `r`, and wavy bonds, `w:` and `ctu:`. */
const unsureStereo = /(?:^|,)(?:[&o]\d*:|r(?:$|[,:])|w:|ctu:)/

/** Labels that stand for more than one element or for the rest of a molecule. */
const openLabel = /^(?:\*|star|[AQXM]H?|_?R\d*|_AP\d+|LP|Pol|.+_[ep])$/

/** `extension` has its bars, and is empty where there is none. Text of any other form is all SMILES. */
export function splitExtension(text: string): { smiles: string; extension: string } {
  const [, smiles = text, extension = ''] = /^(\S+)\s+(\|[^|]*\|)$/.exec(text) ?? []
  return { smiles, extension }
}

/**
 * `extension` as `splitExtension` gives it. Refused where the molecule is another one with it than
 * without.
 */
export function readExtension(extension: string): ExtensionReading {
  if (extension === '') return { ok: true, warnings: [] }
  if (/\p{Cc}/u.test(extension)) return refuse('holds a control character.')
  const content = extension.slice(1, -1).replaceAll(/\s/g, '')
  const open = findOpenLabel(content)
  if (open !== null) {
    const shown = clipText(open, LABEL_CHARACTERS)
    return refuse(`labels an atom "${shown}", which is a placeholder: this is not one molecule.`)
  }
  const marks = content.replaceAll(/\$[^$]*\$/g, '')
  const refusal = refusals.find(([mark]) => mark.test(marks))
  if (refusal) return refuse(refusal[1])
  return { ok: true, warnings: [warn(marks)] }
}

/** Atom labels stand between dollar signs, one per atom; a list of `_AV:` holds values, not labels. */
function findOpenLabel(content: string): string | null {
  const lists = [...content.matchAll(/\$([^$]*)\$/g)].map(([, list = '']) => list)
  const labels = lists.filter((list) => !list.startsWith('_AV:')).flatMap((list) => list.split(';'))
  return labels.find((label) => openLabel.test(label)) ?? null
}

function warn(marks: string): string {
  if (!unsureStereo.test(marks)) return `${PART} was not read.`
  return (
    `${PART} was not read: it says that the stereochemistry is mixed or unknown, and the form that ` +
    'is drawn is used. The prediction takes no account of stereochemistry.'
  )
}

function refuse(what: string): ExtensionReading {
  return { ok: false, reason: `${PART} ${what}` }
}
