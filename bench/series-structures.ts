/** Published series as tables, and each structure with its ligand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The series store structure and ligand separately; a chemist's file has both. */
export function joinLigand(series: string, system: string): string {
  const sdf = readText(join(series, 'reference', `${system}.sdf.gz`)).split('\n')
  const count = Number(sdf[3]?.slice(0, 3))
  const records = sdf
    .slice(4, 4 + count)
    .filter((line) => line.slice(31, 34).trim() !== 'H')
    .map((line, i) => {
      const element = line.slice(31, 34).trim().toUpperCase()
      const xyz = [0, 10, 20].map((from) =>
        Number(line.slice(from, from + 10))
          .toFixed(3)
          .padStart(8),
      )
      const name = `${element}${i + 1}`.slice(0, 4).padEnd(4)
      return `HETATM${String(i + 1).padStart(5)} ${name} LIG Z 999    ${xyz.join('')}  1.00  0.00          ${element.padStart(2)}`
    })
  const protein = readText(join(series, 'structures', `${system}.pdb.gz`))
  // Inserts the ligand into the first model, the only one that is read.
  const [model = ''] = protein.split(/\n(?:ENDMDL|END\b)/)
  return [model, ...records, 'END', ''].join('\n')
}

export function readRows(file: string): Record<string, string>[] {
  const [columns = [], ...cells] = readText(file)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return cells.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? ''])))
}

export function readText(file: string): string {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
