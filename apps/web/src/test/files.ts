/** Uploads for component tests: responses of the server in the shape of the contract. */
import type { Compound, Target, UploadAnswer } from '@pkdex/contract'

export function targetNamed(name: string, chain = 'A'): Target {
  return {
    name,
    filename: `${name}.pdb`,
    size_bytes: 357_449,
    chain,
    residues: 274,
    report: {
      title: null,
      pdb_code: null,
      chains: [
        { id: 'A', kind: 'protein', residues: 274, missing: null, gaps: [] },
        {
          id: 'B',
          kind: 'protein',
          residues: 270,
          missing: 4,
          gaps: [{ after: '386', before: '391', missing: 4 }],
        },
        { id: 'C', kind: 'nucleic acid', residues: 12, missing: null, gaps: [] },
      ],
      default_chain: 'A',
      mapped: [{ from: 'MSE', to: 'MET', count: 5 }],
      dropped: ['2 ligands (STI)', '168 waters'],
      warnings: ['Only the first of 20 models is used.'],
    },
  }
}

export function compoundNamed(name: string): Compound {
  return {
    name,
    filename: 'kinases.txt',
    smiles: 'CC(=O)[O-].[Na+]',
    report: {
      formula: 'C2H4O2',
      mass: 60.05,
      heavy_atoms: 4,
      standard_smiles: 'CC(=O)O',
      stripped: ['[Na+]'],
      neutralised: 1,
      warnings: [],
    },
  }
}

export function uploadAnswer(part: Partial<UploadAnswer>): UploadAnswer {
  return {
    message: 'Stored.',
    file_type: 'protein_pdb',
    filename: '1iep.pdb',
    names: [],
    renamed: [],
    unchanged: [],
    targets: [],
    compounds: [],
    rejected: [],
    ...part,
  }
}
