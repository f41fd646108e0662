/** Time to read and draw structures and compounds. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openRdkit, readStructure, standardise } from '@pkdex/biochem'
import { drawProtein } from '@pkdex/protein-picture'
import { type Figure, limited, medianMs } from './figure.ts'

const samples = new URL('../samples/', import.meta.url)
const hivProtease = readFileSync(fileURLToPath(new URL('1hpv.pdb', samples)), 'utf8')

export async function measureReading(): Promise<Figure[]> {
  const atoms = countAtoms(hivProtease)
  const assembly = repeatStructure(hivProtease, 63_000)
  const assemblyAtoms = countAtoms(assembly)
  const structure = readStructure(hivProtease)
  if (!structure.ok) throw new Error(structure.reason)
  const small = await medianMs(20, () => readStructure(hivProtease))
  const growth = (1.25 * assemblyAtoms) / atoms
  const picture = { width: 800, height: 600, theme: 'light' } as const
  const drawn = await medianMs(5, () => drawProtein(structure.value, picture))
  return [
    limited(`read a structure of ${atoms.toLocaleString('en')} atoms`, small, 'ms', 15),
    {
      name: `read a structure of ${assemblyAtoms.toLocaleString('en')} atoms`,
      measured: await medianMs(5, () => readStructure(assembly)),
      unit: 'ms',
      // Reading time must grow linearly with file size; a quarter more is noise.
      against: { name: `the smaller one × ${Math.round(growth)}`, value: growth * small },
    },
    limited('draw a protein, 800 × 600', drawn, 'ms', 500),
    await compoundFigure(),
  ]
}

/** Compared with RDKit's parsing of the same SMILES: the cost of scanning, standardising and reporting. */
async function compoundFigure(): Promise<Figure> {
  const rdkit = await openRdkit()
  const lines = readFileSync(fileURLToPath(new URL('compounds.txt', samples)), 'utf8').split('\n')
  const smiles = lines.filter((line) => line && !line.startsWith('#')).map(firstWord)
  const parse = await medianMs(30, () => {
    for (const one of smiles) rdkit.get_mol(one)?.delete()
  })
  const measured = await medianMs(30, () => {
    for (const one of smiles) standardise(rdkit, one)
  })
  return {
    name: 'standardise and report a compound',
    measured: (measured / smiles.length) * 1000,
    unit: 'µs',
    against: { name: '20 × RDKit parsing alone', value: (parse / smiles.length) * 1000 * 20 },
  }
}

function countAtoms(text: string): number {
  return text.match(/^(?:ATOM|HETATM)/gm)?.length ?? 0
}

/** Repeats the same chains under new identifiers until there are enough atoms. */
function repeatStructure(text: string, atoms: number): string {
  const records = text.split('\n').filter((line) => line.startsWith('ATOM'))
  const identifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const copies = Math.ceil(atoms / records.length)
  const all = Array.from({ length: copies }, (_, copy) => {
    const shift = copy * 60
    return records.map((line) =>
      moveAtom(line, identifiers[copy % identifiers.length] ?? 'A', shift),
    )
  })
  return all.map((lines) => `${lines.join('\n')}\nTER`).join('\n')
}

function moveAtom(line: string, chain: string, shift: number): string {
  const x = (Number(line.slice(30, 38)) + shift).toFixed(3).padStart(8)
  return `${line.slice(0, 21)}${chain}${line.slice(22, 30)}${x}${line.slice(38)}`
}

function firstWord(line: string): string {
  return line.split(/\s/)[0] ?? ''
}
