/** Headings of columns in compound tables. A file of SMILES lines has its own (`isHeading` in biochem/smiles/compound-file). */

const smilesNames = /^(?:canonical[_ ]?|isomeric[_ ]?)?smiles$|^smi$|^structure$/i
const nameNames =
  /name|^(?:compound|molecule|cpd|corporate|sample|substance|reg(?:istry|istration)?)?[_ ]?(?:id|no\.?|number)$|^compound$|^molecule$|^title$/i

/** Whether a heading says that its column contains SMILES. */
export function isSmilesHeading(heading: string): boolean {
  return smilesNames.test(heading.trim())
}

/** Whether a heading says that its column names the compounds. */
export function isNameHeading(heading: string): boolean {
  return nameNames.test(heading.trim())
}
