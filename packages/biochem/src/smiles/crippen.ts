/**
 * logP and molar refractivity as sums over atoms and their hydrogens: Wildman and Crippen, J. Chem. Inf. Comput. Sci. 1999,
 * 39, 868. Patterns and their order are those of RDKit, under its BSD licence, without metals.
 */
import type { MoleculeGraph } from './molecule-graph.ts'

/** A pattern of a kind of atom, its share of logP and of molar refractivity. The first that begins at an atom counts. */
type Share = { smarts: string; logP: number; refractivity: number }

/** By element. */
const ofAtoms = {
  6: read(`
    [CH4] 0.1441 2.503
    [CH3]C 0.1441 2.503
    [CH2](C)C 0.1441 2.503
    [CH](C)(C)C 0 2.433
    [C](C)(C)(C)C 0 2.433
    [CH3][N,O,P,S,F,Cl,Br,I] -0.2035 2.753
    [CH2X4]([N,O,P,S,F,Cl,Br,I])[A;!#1] -0.2035 2.753
    [CH1X4]([N,O,P,S,F,Cl,Br,I])([A;!#1])[A;!#1] -0.2051 2.731
    [CH0X4]([N,O,P,S,F,Cl,Br,I])([A;!#1])([A;!#1])[A;!#1] -0.2051 2.731
    [C]=[!C;A;!#1] -0.2783 5.007
    [CH2]=C 0.1551 3.513
    [CH1](=C)[A;!#1] 0.1551 3.513
    [CH0](=C)([A;!#1])[A;!#1] 0.1551 3.513
    [C](=C)=C 0.1551 3.513
    [CX2]#[A;!#1] 0.0017 3.888
    [CH3]c 0.08452 2.464
    [CH3]a -0.1444 2.412
    [CH2X4]a -0.0516 2.488
    [CHX4]a 0.1193 2.582
    [CH0X4]a -0.0967 2.576
    [cH0]-[A;!C;!N;!O;!S;!F;!Cl;!Br;!I;!#1] -0.5443 4.041
    [c][#9] 0 3.257
    [c][#17] 0.245 3.564
    [c][#35] 0.198 3.18
    [c][#53] 0 3.104
    [cH] 0.1581 3.35
    [c](:a)(:a):a 0.2955 4.346
    [c](:a)(:a)-a 0.2713 3.904
    [c](:a)(:a)-C 0.136 3.509
    [c](:a)(:a)-N 0.4619 4.067
    [c](:a)(:a)-O 0.5437 3.853
    [c](:a)(:a)-S 0.1893 2.673
    [c](:a)(:a)=[C,N,O] -0.8186 3.135
    [C](=C)(a)[A;!#1] 0.264 4.305
    [C](=C)(c)a 0.264 4.305
    [CH1](=C)a 0.264 4.305
    [C]=c 0.264 4.305
    [CX4][A;!C;!N;!O;!P;!S;!F;!Cl;!Br;!I;!#1] 0.2148 2.693
    [#6] 0.08129 3.243`),
  7: read(`
    [NH2+0][A;!#1] -1.019 2.262
    [NH+0]([A;!#1])[A;!#1] -0.7096 2.173
    [NH2+0]a -1.027 2.827
    [NH1+0]([!#1;A,a])a -0.5188 3
    [NH+0]=[!#1;A,a] 0.08387 1.757
    [N+0](=[!#1;A,a])[!#1;A,a] 0.1836 2.428
    [N+0]([A;!#1])([A;!#1])[A;!#1] -0.3187 1.839
    [N+0](a)([!#1;A,a])[A;!#1] -0.4458 2.819
    [N+0](a)(a)a -0.4458 2.819
    [N+0]#[A;!#1] 0.01508 1.725
    [NH3,NH2,NH;+,+2,+3] -1.95 0
    [n+0] -0.3239 2.202
    [n;+,+2,+3] -1.119 0
    [NH0;+,+2,+3]([A;!#1])([A;!#1])([A;!#1])[A;!#1] -0.3396 0.2604
    [NH0;+,+2,+3](=[A;!#1])([A;!#1])[!#1;A,a] -0.3396 0.2604
    [NH0;+,+2,+3](=[#6])=[#7] -0.3396 0.2604
    [N;+,+2,+3]#[A;!#1] 0.2887 3.359
    [N;-,-2,-3] 0.2887 3.359
    [N;+,+2,+3](=[N;-,-2,-3])=N 0.2887 3.359
    [#7] -0.4806 2.134`),
  8: read(`
    [o] 0.1552 1.08
    [OH,OH2] -0.2893 0.8238
    [O]([A;!#1])[A;!#1] -0.0684 1.085
    [O](a)[!#1;A,a] -0.4195 1.182
    [O]=[#7,#8] 0.0335 3.367
    [OX1;-,-2,-3][#7] 0.0335 3.367
    [OX1;-,-2,-2][#16] -0.3339 0.7774
    [O;-0]=[#16;-0] -0.3339 0.7774
    [O-]C(=O) -1.326 0
    [OX1;-,-2,-3][!#1;!N;!S] -1.189 0
    [O]=c 0.1788 3.135
    [O]=[CH]C -0.1526 0
    [O]=C(C)([A;!#1]) -0.1526 0
    [O]=[CH][N,O] -0.1526 0
    [O]=[CH2] -0.1526 0
    [O]=[CX2]=O -0.1526 0
    [O]=[CH]c 0.1129 0.2215
    [O]=C([C,c])[a;!#1] 0.1129 0.2215
    [O]=C(c)[A;!#1] 0.1129 0.2215
    [O]=C([!#1;!#6])[!#1;!#6] 0.4833 0.389
    [#8] -0.1188 0.6865`),
  9: read(`
    [#9-0] 0.4202 1.108
    [#9;-] -2.996 0`),
  15: read('[#15] 0.8612 6.92'),
  16: read(`
    [S;-,-2,-3,-4,+1,+2,+3,+5,+6] -0.0024 7.365
    [S-0]=[N,O,P,S] -0.0024 7.365
    [S;A] 0.6482 7.591
    [s;a] 0.6237 6.691`),
  17: read(`
    [#17-0] 0.6895 5.853
    [#17;-] -2.996 0`),
  35: read(`
    [#35-0] 0.8456 8.927
    [#35;-] -2.996 0`),
  53: read(`
    [#53-0] 0.8857 14.02
    [#53;-] -2.996 0
    [#53;+,+2,+3] -2.996 0`),
  5: read('[#5] -0.3808 5.754'),
  14: read('[#14] -0.3808 5.754'),
  34: read('[#34] -0.3808 5.754'),
}

/** Of a hydrogen, by the atom that carries it. */
const ofHydrogens = read(`
  [#6] 0.123 1.057
  O[CX4,c] -0.2677 1.395
  O[!#6;!#7;!#8;!#16] -0.2677 1.395
  [OH2,OH3] -0.2677 1.395
  [!#6;!#7;!#8] -0.2677 1.395
  [#7] 0.2142 0.9627
  O[#7] 0.2142 0.9627
  OC=[#6,#7,O,S] 0.298 1.805
  O[O,S] 0.298 1.805
  * 0.1125 1.112`)

function read(text: string): Share[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [smarts = '', logP, refractivity] = line.trim().split(' ')
      return { smarts, logP: Number(logP), refractivity: Number(refractivity) }
    })
}

const all = [...Object.values(ofAtoms).flat(), ...ofHydrogens]

/** Patterns that `crippen` asks for, by their places here. */
export const crippenPatterns = all.map(({ smarts }) => smarts)

/** Places of the patterns by element, and of those of hydrogens. */
const placesOf = new Map(
  Object.entries(ofAtoms).map(([element, shares]) => [Number(element), placed(shares)]),
)
const hydrogenPlaces = placed(ofHydrogens)

function placed(shares: Share[]): number[] {
  const first = all.indexOf(shares[0] as Share)
  return shares.map((_, at) => first + at)
}

/** `begins`: whether a match of a pattern begins at an atom. */
export function crippen(
  { atoms }: MoleculeGraph,
  begins: (pattern: number, atom: number) => boolean,
): { logP: number; refractivity: number } {
  const sum = { logP: 0, refractivity: 0 }
  const add = (places: number[], atom: number, times: number) => {
    const { logP, refractivity } = all[places.find((at) => begins(at, atom)) ?? -1] ?? {
      logP: 0,
      refractivity: 0,
    }
    for (let time = 0; time < times; time += 1) {
      sum.logP += logP
      sum.refractivity += refractivity
    }
  }
  for (const [at, { element }] of atoms.entries()) add(placesOf.get(element) ?? [], at, 1)
  for (const [at, { hydrogens }] of atoms.entries()) {
    if (hydrogens > 0) add(hydrogenPlaces, at, hydrogens)
  }
  return sum
}
