/** Files that cannot be a target, and the message for each. */
import { expect, test } from 'vitest'
import { file, peptide, residueLines } from './fixtures/pdb-lines.ts'
import { readStructure } from './read-structure.ts'

const sugar = { P: 0, "C3'": 1.5, "C1'": 1.6, "O3'": 2.4 }
const ribose = { ...sugar, "O2'": 2 }

test.each([
  ['nothing', '', 'This file is empty.'],
  ['blank lines', '\r\n \r\n', 'This file is empty.'],
  ['prose', 'This is not a PDB file.', 'This is not a PDB file: it has no ATOM records.'],
  [
    'a sequence of GenBank',
    'LOCUS       X 10 aa\nORIGIN\n        1 pqitlwqrpl\n//\n',
    'This is a sequence file that is not read. Save the protein sequence as FASTA.',
  ],
  [
    'an input of Boltz',
    'version: 1\nsequences:\n  - protein:\n      id: A\n',
    'This is a sequence file that is not read. Save the protein sequence as FASTA.',
  ],
  [
    'a header alone',
    'HEADER    HYDROLASE\nEND\n',
    'This PDB file contains no atoms; a target needs coordinates.',
  ],
  ['RNA', nucleic('A', ribose), 'This file contains only RNA; a target needs a protein chain.'],
  ['DNA', nucleic('DA', sugar), 'This file contains only DNA; a target needs a protein chain.'],
  [
    'DNA and RNA',
    nucleic('A', ribose, 'A') + nucleic('DA', sugar, 'B'),
    'This file contains only DNA and RNA; a target needs a protein chain.',
  ],
  [
    'one ligand',
    hetero('STI', { C1: 0, C2: 1.4 }),
    'This file contains only small molecules or ions (STI); a target needs a protein chain.',
  ],
  [
    'one amino acid',
    hetero('ASP', { N: 0, CA: 1.45, C: 2.5 }),
    'This file contains only 1 free amino acid (ASP); a target needs a protein chain.',
  ],
  [
    'water',
    hetero('HOH', { O: 0 }),
    'This file contains only water; a target needs a protein chain.',
  ],
  [
    'three residues',
    file(peptide('ALA CYS ASP')),
    'The longest protein chain has only 3 residues; a target needs at least 4.',
  ],
  [
    'residues of unknown type',
    file(peptide('UNK UNK UNK UNK UNK')),
    'The longest protein chain has only 0 residues of known type; a target needs at least 4.',
  ],
  [
    'side chains alone',
    sideChains(),
    'The file contains 4 residues without alpha carbons (ALA 1 of chain A, CYS 2 of chain A, ASP 3 of chain A, GLU 4 of chain A); a target needs a protein chain.',
  ],
])('%s', (_, text, reason) => {
  expect(readStructure(text)).toEqual({ ok: false, line: 0, reason })
})

test('atoms without readable coordinates are rejected with the first line number', () => {
  const shifted = file(['REMARK'], peptide('ALA CYS ASP GLU')).replaceAll(
    /^(ATOM.{26})/gm,
    '$1   x',
  )
  expect(readStructure(shifted)).toEqual({
    ok: false,
    line: 2,
    reason:
      'The coordinates of 16 atom lines cannot be read: PDB files keep coordinates in columns 31 to 54.',
  })
})

test.each([
  [
    'mmCIF whose atoms have no coordinates',
    'data_1ABC\n#\nloop_\n_atom_site.group_PDB\nATOM\n',
    /no coordinates: _atom_site\.Cartn_x/,
  ],
  [
    'mmCIF after a comment, without atoms',
    '# written by a program\ndata_model\n_entry.id model\n',
    /This mmCIF file contains no atoms/,
  ],
  [
    'SDF',
    'aspirin\n  Mrv\n\n 21 21  0  0  0  0            999 V2000\n    1.2  0.0  0.0 C\n',
    /SDF or MOL/,
  ],
  ['SDF by its end', 'x\n\n\n  0  0\nM  END\n$$$$\n', /SDF or MOL/],
  ['MOL2', '# made\n@<TRIPOS>MOLECULE\nx\n', /MOL2/],
  ['gzip as Latin-1', '\u001f\u008b\u0008\u0000\u0000', /gzip/],
  ['gzip as UTF-8', '\u001f\ufffd\u0008\u0000\u0000', /gzip/],
  ['zip', 'PK\u0003\u0004\u0014\u0000', /zip archive/],
  ['bzip2', 'BZh91AY&SY', /compressed archive/],
  ['PDF', '%PDF-1.7\n', /PDF/],
  ['a web page', '<!DOCTYPE html>\n<html><body>404</body></html>', /web page/],
  ['PDBML', '<?xml version="1.0"?><PDBx:datablock>', /XML/],
  ['JSON', '{ "structure": [] }', /JSON/],
  ['UTF-16', 'A\u0000T\u0000O\u0000M\u0000 \u0000 \u0000 \u00001\u0000 \u0000', /UTF-16/],
  ['a binary', '\u0000\u0001\u0002\u0003\u0004MMTF\u0005\u0006\u0007', /binary/],
])('recognises %s by its first characters', (_, text, sentence) => {
  const result = readStructure(text)
  expect(result.ok ? '' : result.reason).toMatch(sentence)
})

function nucleic(name: string, atoms: Record<string, number>, chain = 'A'): string {
  return (
    [1, 2, 3].flatMap((number) => residueLines({ name, number, atoms, chain })).join('\n') + '\n'
  )
}

function hetero(name: string, atoms: Record<string, number>): string {
  return file(residueLines({ name, number: 1, record: 'HETATM', atoms }))
}

function sideChains(): string {
  const names = ['ALA', 'CYS', 'ASP', 'GLU']
  return file(
    names.flatMap((name, at) => residueLines({ name, number: at + 1, atoms: { CB: 1.5 } })),
  )
}
