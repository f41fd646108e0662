import { expect, test } from 'vitest'
import { readCompoundLines } from './compound-file.ts'
import { openRdkit } from './rdkit.ts'
import { standardise } from './standardise.ts'

const rdkit = await openRdkit()

const unread = 'The part between bars (CXSMILES) was not read.'
const unsure =
  'The part between bars (CXSMILES) was not read: it says that the stereochemistry is mixed or ' +
  'unknown, and the form that is drawn is used. The prediction takes no account of stereochemistry.'

/** As an upload goes: the line is read first, and its molecule then. */
function read(line: string) {
  const [molecule] = readCompoundLines(line, 'library').molecules
  return { name: molecule?.name, ...standardise(rdkit, molecule?.smiles ?? '') }
}

test.each([
  ['C[C@H](N)C(=O)O |&1:1| name', unsure],
  ['C[C@H](N)C(=O)O |o1:1| name', unsure],
  ['C[C@H](N)C(=O)O |(0,0,;1,0,;1,1,;2,0,;3,0,;2,-1,),&1:1,r| name', unsure],
  ['C[C@H](N)C(=O)O |r| name', unsure],
  ['CC=CC |w:1.0| name', unsure],
])('a mixture or an unknown centre is read as it is drawn, with a warning: %s', (line, warning) => {
  expect(read(line)).toMatchObject({ ok: true, name: 'name', warnings: [warning] })
})

test.each([
  'C[C@H](N)C(=O)O |a:1| name',
  'CCN |(0,0,;1.2,0,;2,-1e-3,)| name',
  'CCN\t|$;;amine$|\tname',
  'CCN |$;Cα;$,$_AV:A;Q;$| name',
  'CC(=O)[O-].[Na+] |f:0.1,lp:2:2| name',
  'CCN |atomProp:0.s.u:1:2.q.X| name',
])('what leaves the molecule as it is, is kept with a warning: %s', (line) => {
  expect(read(line)).toMatchObject({ ok: true, name: 'name', warnings: [unread] })
})

test('the warning stands before those about the molecule', () => {
  expect(read('C[Si](C)(C)C |a:1|')).toMatchObject({
    warnings: [unread, 'Contains Si, which the predictor has hardly ever seen.'],
  })
})

test.each([
  ['CC |^1:0| name', /makes this a radical; .* write the radical in the SMILES/],
  ['CCO |$;;Q_e$| name', /labels an atom "Q_e", which is a placeholder: this is not one molecule/],
  ['CCO |$;;A$| name', /labels an atom "A"/],
  ['CCO |$X;;$| name', /labels an atom "X"/],
  ['CCO |$star_e;;$| name', /labels an atom "star_e"/],
  ['CCO |(0,0,;1,0,;2,0,),$_R1;;$| name', /labels an atom "_R1"/],
  ['CCO |$_AV:1;2;3$,$;;_AP1$| name', /labels an atom "_AP1"/],
  ['CCO |s:1:2| name', /makes this a query/],
  ['CCO |Sg:n:1:n:ht| name', /repeats that vary/],
  ['Cl.c1ccccc1 |m:0:1.2.3| name', /places or repeats that vary/],
  ['CN[Pt] |C:1.1| name', /turns bonds into others/],
  ['CCO |$;a\u0007;$| name', /holds a control character/],
])('what makes it another molecule is refused: %j', (line, reason) => {
  const refused = { ok: false, reason: expect.stringMatching(reason) as string }
  expect(read(line)).toMatchObject(refused)
})

test('a mixture and the drawn form are two molecules, also where they share a name', () => {
  const { molecules } = readCompoundLines('C[C@H](F)N |&1:1| a\nC[C@H](F)N a', 'x')
  expect(molecules.map(({ name, smiles }) => [name, smiles])).toEqual([
    ['a', 'C[C@H](F)N |&1:1|'],
    ['a (2)', 'C[C@H](F)N'],
  ])
})
