import { expect, test, vi } from 'vitest'
import { ligandOf } from './pose-scene.ts'

vi.mock('3dmol/build/3Dmol.es6-min.js', () => ({ createViewer: () => undefined }))

test('every residue of a joined reference ligand is selected', () => {
  const chain = 'C'
  expect(ligandOf('02J-ALA-PJE 1 C').or).toEqual([
    { resn: '02J', resi: 1, chain },
    { resn: 'ALA', resi: 2, chain },
    { resn: 'PJE', resi: 3, chain },
  ])
  expect(ligandOf('STI 201 _').or).toEqual([{ resn: 'STI', resi: 201 }])
})
