/** Which residues form a chain, where a chain is broken, and what SEQRES adds about the breaks. */
import { describe, expect, test } from 'vitest'
import { sample, structureOf } from '../fixtures/sample.ts'
import { file, peptide, residueLines } from './fixtures/pdb-lines.ts'
import { reportTarget } from './report-target.ts'
import { chainSegments, longestProteinChain, type Structure } from './structure.ts'

const broken = [
  ...peptide('ALA CYS ASP GLU', 'A', 3).slice(0, -1),
  ...peptide('LYS LEU MET', 'A', 10),
]

test('a chain is broken where C and N are more than 2 angstroms apart', () => {
  const structure = structureOf(file(broken))
  expect(sequences(structure)).toEqual(['A:ACDE-KLM'])
  expect(structure.chains[0]?.gaps).toEqual([{ index: 3, missing: null }])
})

test('without C and N, alpha carbons more than 4.5 angstroms apart are a break', () => {
  const alphas = broken.filter((line) => line.slice(12, 16) === ' CA ')
  const structure = structureOf(file(alphas))
  expect(sequences(structure)).toEqual(['A:ACDE-KLM'])
  expect(structure.warnings).toContain('Alpha carbons only: chain A.')
})

test('a jump in the numbering without a break in space is not a gap', () => {
  const lines = [1, 2, 60, 61].flatMap((number, at) => residueLines({ name: 'ALA', number, at }))
  expect(sequences(structureOf(file(lines)))).toEqual(['A:AAAA'])
})

test('SEQRES gives the size of a gap, and missing ends are counted for the chain', () => {
  const seqres = 'SEQRES   1 A   13  GLY GLY ALA CYS ASP GLU PHE GLY HIS LYS LEU MET TRP'
  const report = reportTarget(structureOf(file([seqres], broken)))
  expect(report.chains).toEqual([
    {
      id: 'A',
      kind: 'protein',
      residues: 7,
      missing: 6,
      gaps: [{ after: 'GLU 6', before: 'LYS 10', missing: 3 }],
    },
  ])
})

test('places repeats by residue number', () => {
  const seqres = 'SEQRES   1 A   12  ALA GLY ALA GLY ALA GLY ALA GLY TRP GLY TRP TRP'
  const lines = [
    ...peptide('ALA GLY', 'A', 3).slice(0, -1),
    ...peptide('GLY TRP GLY TRP TRP', 'A', 8),
  ]
  expect(structureOf(file([seqres], lines)).chains[0]?.gaps).toEqual([{ index: 1, missing: 3 }])
})

test('a mutation in a long stretch does not hide the size of its gap', () => {
  const seqres = 'SEQRES   1 A   13  ALA CYS ASP GLU PHE GLY HIS ILE LYS LEU MET ASN PRO'
  const lines = [
    ...peptide('ALA CYS ASP GLU PHE GLY TRP ILE LYS LEU', 'A', 1).slice(0, -1),
    ...peptide('ASN PRO', 'A', 12),
  ]
  expect(structureOf(file([seqres], lines)).chains[0]?.gaps).toEqual([{ index: 9, missing: 1 }])
})

test('reports residues that differ from SEQRES', () => {
  const seqres = 'SEQRES   1 A    8  TRP TRP TRP TRP TRP TRP TRP TRP'
  const structure = structureOf(file([seqres], broken))
  expect(structure.chains[0]).toMatchObject({ gaps: [{ index: 3, missing: null }], seqres: null })
  expect(structure.warnings).toContain('The residues of chain A do not match its SEQRES records.')
})

test('reports a chain with few bonded residues', () => {
  const scattered = [1, 2, 3, 4, 5].flatMap((number) =>
    residueLines({ name: 'ALA', number, at: number * 3 }),
  )
  expect(structureOf(file(scattered)).warnings).toContain(
    'Many neighbouring residues of chain A are not bonded: check the coordinates.',
  )
})

describe('models and ends', () => {
  const model = (number: number, names: string) => [
    `MODEL     ${number}`,
    ...peptide(names),
    'ENDMDL',
  ]

  test('reads the first model only', () => {
    const structure = structureOf(file(model(1, 'ALA CYS ASP GLU'), model(2, 'ALA CYS ASP GLU')))
    expect([structure.models, sequences(structure)]).toEqual([2, ['A:ACDE']])
    expect(structure.warnings).toContain('The file has 2 models; only the first is used.')
  })

  test('counts models separated by ENDMDL only', () => {
    const frames = [...peptide('ALA CYS ASP GLU'), 'ENDMDL', ...peptide('ALA CYS ASP GLU')]
    expect(structureOf(file(frames)).models).toBe(2)
  })

  test('a model without ATOM records is read together with the next one', () => {
    const first = residueLines({ name: 'PCA', number: 1, record: 'HETATM' })
    const text = file(['MODEL     0', ...first, 'ENDMDL'], peptide('ALA CYS ASP', 'A', 2))
    expect(sequences(structureOf(text))).toEqual(['A:QACD'])
  })

  test('ignores atoms after END, and says so', () => {
    const structure = structureOf(
      file(peptide('ALA CYS ASP GLU'), ['END'], peptide('LYS LEU MET TRP', 'B')),
    )
    expect(sequences(structure)).toEqual(['A:ACDE'])
    expect(structure.warnings).toContain('Atoms after the END record are ignored.')
  })
})

test('a chain without an identifier gets one', () => {
  const structure = structureOf(file(peptide('ALA CYS ASP GLU', ' ')))
  expect(sequences(structure)).toEqual(['_:ACDE'])
  expect(structure.warnings).toContain('Blank or duplicate chain identifiers were renamed: _.')
})

test('segment names replace blank identifiers', () => {
  const segment = (name: string, from: number) =>
    peptide('ALA CYS ASP GLU', ' ', from).map((line) => `${line.slice(0, 72).padEnd(72)}${name}`)
  const structure = structureOf(file(segment('PROA', 1), segment('PROB', 1)))
  expect(sequences(structure)).toEqual(['PROA:ACDE', 'PROB:ACDE'])
})

test('a second chain with the same identifier gets another one, with or without TER', () => {
  const twice = [peptide('ALA CYS ASP GLU'), peptide('ALA CYS ASP GLU')]
  const withoutTer = twice.map((lines) => lines.slice(0, -1))
  for (const parts of [twice, withoutTer]) {
    expect(sequences(structureOf(file(...parts)))).toEqual(['A:ACDE', 'A.2:ACDE'])
  }
})

test('a chain continues after TER if its numbering does, unless it ended with a carboxylate', () => {
  const parts = [peptide('ALA CYS ASP GLU'), peptide('LYS LEU MET TRP', 'A', 9)]
  expect(sequences(structureOf(file(...parts)))).toEqual(['A:ACDE-KLMW'])
  const carboxylate = residueLines({ name: 'GLU', number: 4, atoms: { OXT: 3.5 } })
  const ended = [...(parts[0]?.slice(0, -1) ?? []), ...carboxylate, 'TER']
  expect(sequences(structureOf(file(ended, parts[1] ?? [])))).toEqual(['A:ACDE', 'A.2:KLMW'])
})

test('without identifiers and TER records, a carboxylate ends a chain', () => {
  const ended = (names: string, from: number) => [
    ...peptide(names, ' ', from).slice(0, -1),
    ...residueLines({
      name: 'GLY',
      number: from + 4,
      chain: ' ',
      atoms: { N: 0, CA: 1.45, C: 2.5, OXT: 3 },
    }),
  ]
  const structure = structureOf(file(ended('ALA CYS ASP GLU', 1), ended('LYS LEU MET TRP', 6)))
  expect(sequences(structure)).toEqual(['_:ACDEG', '_.2:KLMWG'])
})

describe('chains under one identifier', () => {
  const helix = (from: number, { chain = ' ', ends = {}, at = from } = {}) =>
    ['ALA', 'CYS', 'ASP', 'GLU'].flatMap((name, index) =>
      residueLines({
        name,
        number: from + index,
        at: at + index,
        chain,
        atoms: { N: 0, CA: 1.45, C: 2.5, ...(index === 3 ? ends : { O: 2.9 }) },
      }),
    )
  test.each([
    ['PDB and AMBER', { O: 2.9, OXT: 3 }],
    ['CHARMM', { OT1: 2.9, OT2: 3 }],
    ['GROMACS', { OC1: 2.9, OC2: 3 }],
    ['GROMOS', { O1: 2.9, O2: 3 }],
  ])('a carboxylate with the names of %s ends a chain, though the next begins near', (_, ends) => {
    const chains = [helix(1, { ends }), helix(5, { ends }), helix(9, { ends })]
    expect(sequences(structureOf(file(...chains)))).toEqual(['_:ACDE', '_.2:ACDE', '_.3:ACDE'])
  })

  test('without identifiers, a break between consecutive numbers ends a chain; a gap in them does not', () => {
    expect(sequences(structureOf(file(helix(1), helix(5, { at: 30 }))))).toEqual([
      '_:ACDE',
      '_.2:ACDE',
    ])
    expect(sequences(structureOf(file(helix(1), helix(9))))).toEqual(['_:ACDE-ACDE'])
  })

  test('with an identifier, both a carboxylate and a break between consecutive numbers end a chain', () => {
    const ends = { O: 2.9, OXT: 3 }
    const chain = 'A'
    const ended = file(helix(1, { chain, ends }), helix(5, { chain, at: 30 }))
    expect(sequences(structureOf(ended))).toEqual(['A:ACDE', 'A.2:ACDE'])
    const gap = file(helix(1, { chain, ends }), helix(9, { chain }))
    expect(sequences(structureOf(gap))).toEqual(['A:ACDE-ACDE'])
  })

  test('two chains that end side by side stay two, without identifiers and with one letter', () => {
    const lines = sample.split('\n').filter((line) => line.startsWith('ATOM'))
    const named = (letter: string, shift: number, from: string, isEnded: boolean) =>
      lines
        .filter((line) => line[21] === from && (isEnded || line.slice(12, 16) !== ' OXT'))
        .map((line) => {
          const number = String(Number(line.slice(22, 26)) + shift).padStart(4)
          return `${line.slice(0, 21)}${letter}${number}${line.slice(26)}`
        })
    for (const [letter, isEnded] of [
      [' ', false],
      ['A', true],
    ] as const) {
      const text = file(named(letter, 0, 'A', isEnded), named(letter, 99, 'B', isEnded))
      expect(structureOf(text).chains.map(({ residues }) => residues.length)).toEqual([99, 99])
    }
  })

  test('peptide and nucleic acid with the same numbers are two whole chains', () => {
    const nucleotides = ['DA', 'DG', 'DT'].flatMap((name, at) =>
      residueLines({ name, number: 1 + at, aside: 20, atoms: { P: 0, "C3'": 1.5, "O3'": 2.4 } }),
    )
    const lines = peptide('ALA CYS ASP GLU').slice(0, -1)
    for (const parts of [
      [lines, nucleotides],
      [nucleotides, lines],
    ]) {
      const structure = structureOf(file(...parts))
      expect(structure.chains.map(({ kind, residues }) => [kind, residues.length])).toEqual([
        ['protein', 4],
        ['nucleic acid', 3],
      ])
      expect(structure.warnings.join()).not.toContain('most occupied')
    }
  })

  test('residues whose insertion codes were removed are all kept, of one type or of several', () => {
    for (const names of ['TYR TYR TYR', 'SER GLY TRP']) {
      const inserted = names
        .split(' ')
        .flatMap((name, at) => residueLines({ name, number: 3, at: 3 + at }))
      const lines = [...peptide('ALA CYS').slice(0, -1), ...inserted]
      const rest = ['LYS', 'LEU'].flatMap((name, at) =>
        residueLines({ name, number: 4 + at, at: 6 + at }),
      )
      const [chain] = structureOf(file([...lines, ...rest])).chains
      expect(chain?.residues.map(({ name }) => name).join(' ')).toBe(`ALA CYS ${names} LYS LEU`)
    }
  })
})

test('chain identifiers of two characters begin in column 21', () => {
  const lines = peptide('ALA CYS ASP GLU', 'B').map((line) => line.replace(/^(.{20}) /, '$1A'))
  expect(sequences(structureOf(file(lines)))).toEqual(['AB:ACDE'])
})

test('residues of unknown type do not count towards the longest chain', () => {
  const structure = structureOf(
    file(peptide('UNK UNK UNK UNK UNK', 'A'), peptide('ALA CYS ASP GLU', 'B')),
  )
  expect(longestProteinChain(structure)?.id).toBe('B')
  expect(reportTarget(structure).default_chain).toBe('B')
})

test('of equally long protein chains the first is used', () => {
  const structure = structureOf(
    file(
      peptide('ALA CYS ASP', 'A'),
      peptide('GLU PHE GLY HIS', 'B'),
      peptide('LYS LEU MET ASN', 'C'),
    ),
  )
  expect(longestProteinChain(structure)?.id).toBe('B')
})

describe('unusual chains', () => {
  test('a peptide inhibitor in HETATM records is not part of the chain', () => {
    const inhibitor = [1, 2, 3].flatMap((number) =>
      residueLines({ name: 'ALA', number: 200 + number, at: number, record: 'HETATM', aside: 9 }),
    )
    const structure = structureOf(file(peptide('ALA CYS ASP GLU'), inhibitor))
    expect(sequences(structure)).toEqual(['A:ACDE'])
    expect(structure.ligands.length).toBe(3)
  })

  test('a protein written entirely in HETATM records is a chain', () => {
    const names = 'ALA CYS ASP GLU PHE GLY HIS ILE LYS LEU MET'
    const lines = peptide(names).map((line) => line.replace('ATOM  ', 'HETATM'))
    expect(sequences(structureOf(file(lines)))).toEqual(['A:ACDEFGHIKLM'])
  })

  test('protein and nucleic acid with one identifier become two chains', () => {
    const nucleotides = ['DA', 'DG', 'DT'].flatMap((name, at) =>
      residueLines({
        name,
        number: 10 + at,
        at,
        aside: 20,
        atoms: { P: 0, "C3'": 1.5, "O3'": 2.4 },
      }),
    )
    const structure = structureOf(file(peptide('ALA CYS ASP GLU').slice(0, -1), nucleotides))
    expect(structure.chains.map(({ id, kind }) => [id, kind])).toEqual([
      ['A', 'protein'],
      ['A.2', 'nucleic acid'],
    ])
    expect(structure.chains[1]?.residues.map((residue) => residue.letter)).toEqual(['a', 'g', 't'])
  })

  test('dummy atoms of membrane planes are ignored', () => {
    const plane = residueLines({ name: 'DUM', number: 900, record: 'HETATM', atoms: { N: 0 } })
    expect(structureOf(file(peptide('ALA CYS ASP GLU'), plane)).ligands).toEqual([])
  })
})

test('reports what is ignored', () => {
  const hetero = (name: string, number: number, atoms: Record<string, number>) =>
    residueLines({ name, number, record: 'HETATM', atoms, aside: 15 })
  const text = file(
    peptide('ALA CYS ASP GLU'),
    hetero('STI', 101, { C1: 0, C2: 1.4 }),
    hetero('STI', 102, { C1: 0, C2: 1.4 }),
    hetero('ZN', 103, { ZN: 0 }),
    hetero('GOL', 104, { C1: 0, O1: 1.4 }),
    hetero('HOH', 105, { O: 0 }),
    hetero('HOH', 106, { O: 0 }),
  )
  expect(reportTarget(structureOf(text)).dropped).toEqual([
    '2 ligands (STI)',
    '1 ion (ZN)',
    '1 buffer molecule (GOL)',
    '2 waters',
  ])
})

test('reads title, code, helices and strands', () => {
  const annotations = [
    'HEADER    HYDROLASE                               18-NOV-94   1HPV',
    'TITLE     A STRUCTURE OF AN ALPHA-',
    'TITLE    2HELIX',
    'HELIX    1   1 ALA A    1  ASP A    3  1                                   3',
    'SHEET    1   A 2 CYS A   2  GLU A   4  0',
  ]
  const structure = structureOf(file(annotations, peptide('ALA CYS ASP GLU')))
  expect([structure.pdbCode, structure.title]).toEqual(['1HPV', 'A STRUCTURE OF AN ALPHA-HELIX'])
  expect(structure.secondary.map(({ kind, from, to }) => [kind, from.number, to.number])).toEqual([
    ['helix', 1, 3],
    ['strand', 2, 4],
  ])
})

function sequences(structure: Structure): string[] {
  return structure.chains.map((chain) => `${chain.id}:${chainSegments(chain).join('-')}`)
}
