/** The two boxes of `/prompt`: what each is called, takes and says. */
import { acceptedExtension, type FileType, furtherExtensions, messages } from '@pkdex/contract'

export type UploadKind = {
  fileType: FileType
  /** One extension, in lower case. */
  accepted: string
  /** What else may be chosen, by a picker of its own. */
  further: readonly string[]
  furtherText: string
  /** Whether what is in a table, or pasted, can be made a file of. */
  takesTables: boolean
  title: string
  takes: string
  hint: string
  /** Files that belong in the other box, and what to tell who drops one here. */
  elsewhere: { extensions: readonly string[]; hint: string }
  /** One of them, for counts. */
  noun: string
  failed: string
}

/** Of files with a table of compounds. */
export const tableExtensions = ['.csv', '.tsv', '.smi', '.txt', '.xlsx', '.sdf', '.sd', '.mol']

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
