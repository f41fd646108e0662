/** What people call the columns of a table of compounds, wherever it is read. */

const smilesNames = /^(?:canonical[_ ]?|isomeric[_ ]?)?smiles$|^smi$|^structure$/i
const nameNames =
  /name|^(?:compound|molecule|cpd)?[_ ]?(?:id|no\.?)$|^compound$|^molecule$|^title$/i

/** Whether a heading says that its column holds SMILES. */
export function isSmilesHeading(heading: string): boolean {
  return smilesNames.test(heading.trim())
}

/** Whether a heading says that its column names the compounds. */
export function isNameHeading(heading: string): boolean {
  return nameNames.test(heading.trim())
}
