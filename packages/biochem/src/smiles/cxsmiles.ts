/**
 * Reads the extension after a SMILES, `SMILES |…|` (CXSMILES, as ChemAxon and RDKit write it). Nothing in it is used:
 * if it would change the molecule the line is rejected, otherwise there is a warning.
 */
import { clipText } from '../sentences.ts'

export type ExtensionReading = { ok: true; warnings: string[] } | { ok: false; reason: string }

const PART = 'The part between bars (CXSMILES)'
const LABEL_CHARACTERS = 20

/** Parts of an extension are separated by commas, and each begins with its own mark. */
const refusals: readonly (readonly [mark: RegExp, reason: string])[] = [
  [
    /(?:^|,)\^\d/,
    'makes this a radical; leave that part out and write the radical in the SMILES, as in C[CH2].',
  ],
  [/(?:^|,)(?:rb|s|u):/, 'makes this a query, not a single compound.'],
  [
    /(?:^|,)(?:RG:|LO:|LOG|LN:|m:|Sg:(?!gen))/,
    'describes variable groups or repeats, not a single compound.',
  ],
  [/(?:^|,)[CHZ]:/, 'changes bond types (dative, hydrogen or zero-order). Remove it.'],
]

/** Mixtures and unknowns: `&1:`, `o1:`, `r`, and wavy bonds, `w:` and `ctu:`. */
const unsureStereo = /(?:^|,)(?:[&o]\d*:|r(?:$|[,:])|w:|ctu:)/

/** Labels for several elements or for the rest of a molecule. */
const openLabel = /^(?:\*|star|[AQXM]H?|_?R\d*|_AP\d+|LP|Pol|.+_[ep])$/

/** `extension` includes its bars, and is empty if there is none. Text in any other form is treated as SMILES. */
export function splitExtension(text: string): { smiles: string; extension: string } {
  const [, smiles = text, extension = ''] = /^(\S+)\s+(\|[^|]*\|)$/.exec(text) ?? []
  return { smiles, extension }
}

/** `extension` from `splitExtension`. Rejected if it changes the molecule. */
export function readExtension(extension: string): ExtensionReading {
  if (extension === '') return { ok: true, warnings: [] }
  if (/\p{Cc}/u.test(extension)) return refuse('contains a control character.')
  const content = extension.slice(1, -1).replaceAll(/\s/g, '')
  const open = findOpenLabel(content)
  if (open !== null) {
    const shown = clipText(open, LABEL_CHARACTERS)
    return refuse(`labels an atom “${shown}”, a placeholder; this is not a single compound.`)
  }
  const marks = content.replaceAll(/\$[^$]*\$/g, '')
  const refusal = refusals.find(([mark]) => mark.test(marks))
  if (refusal) return refuse(refusal[1])
  return { ok: true, warnings: [warn(marks)] }
}

/** Atom labels are between dollar signs, one per atom; a list of `_AV:` contains values, not labels. */
function findOpenLabel(content: string): string | null {
  const lists = [...content.matchAll(/\$([^$]*)\$/g)].map(([, list = '']) => list)
  const labels = lists.filter((list) => !list.startsWith('_AV:')).flatMap((list) => list.split(';'))
  return labels.find((label) => openLabel.test(label)) ?? null
}

function warn(marks: string): string {
  if (!unsureStereo.test(marks)) return `${PART} was ignored.`
  return (
    `${PART} was ignored: it marks the stereochemistry as mixed or unknown, so the form as drawn ` +
    'is used. Predictions ignore stereochemistry.'
  )
}

function refuse(what: string): ExtensionReading {
  return { ok: false, reason: `${PART} ${what}` }
}
