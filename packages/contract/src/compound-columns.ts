/** Headings of columns in compound tables. A file of SMILES lines has its own (`isHeading` in biochem/smiles/compound-file). */

const smilesNames = /(?:^|[\s_-])(?:cx)?smiles(?:$|[\s_-])|^smi$|^structure$/i
const nameNames =
  /name|^(?:compound|molecule|mol|cpd|ligand|drug|corporate|sample|substance|chembl|reg(?:istry|istration)?)?[_ ]?(?:chembl[_ ])?(?:id|no\.?|number)$|^compound$|^molecule$|^ligand$|^title$/i
/** Names of something other than the compound. */
const otherNames =
  /^(?:target|assay|protein|gene|organism|document|source|cell|species|file|user|author|vendor|supplier|project|company)(?:[\s_-]|$)/i

/** Whether a heading says that its column contains SMILES. */
export function isSmilesHeading(heading: string): boolean {
  return smilesNames.test(heading.trim())
}

/** Whether a heading says that its column names the compounds. */
export function isNameHeading(heading: string): boolean {
  return nameNames.test(heading.trim()) && !otherNames.test(heading.trim())
}
