import { expect, test } from 'vitest'
import { openRdkit } from './rdkit.ts'
import { standardise } from './standardise.ts'

const rdkit = await openRdkit()

const unread = 'The part between bars (CXSMILES) was ignored.'
const unsure =
  'The part between bars (CXSMILES) was ignored: it marks the stereochemistry as mixed or unknown, ' +
  'so the form as drawn is used. Predictions ignore stereochemistry.'

const read = (smiles: string) => standardise(rdkit, smiles)

test.each([
  ['C[C@H](N)C(=O)O |&1:1|', unsure],
  ['C[C@H](N)C(=O)O |o1:1|', unsure],
  ['C[C@H](N)C(=O)O |(0,0,;1,0,;1,1,;2,0,;3,0,;2,-1,),&1:1,r|', unsure],
  ['C[C@H](N)C(=O)O |r|', unsure],
  ['CC=CC |w:1.0|', unsure],
])('a mixture or an unknown centre is read as drawn, with a warning: %s', (line, warning) => {
  expect(read(line)).toMatchObject({ ok: true, warnings: [warning] })
})

test.each([
  'C[C@H](N)C(=O)O |a:1|',
  'CCN |(0,0,;1.2,0,;2,-1e-3,)|',
  'CCN |$;;amine$|',
  'CCN |$;Cα;$,$_AV:A;Q;$|',
  'CC(=O)[O-].[Na+] |f:0.1,lp:2:2|',
  'CCN |atomProp:0.s.u:1:2.q.X|',
])('an extension that does not change the molecule is accepted with a warning: %s', (line) => {
  expect(read(line)).toMatchObject({ ok: true, warnings: [unread] })
})

test('the warning comes before those about the molecule', () => {
  expect(read('C[Si](C)(C)C |a:1|')).toMatchObject({
    warnings: [unread, 'Contains Si, which is rare in the training data.'],
  })
})

test.each([
  ['CC |^1:0|', /makes this a radical; .* write the radical in the SMILES/],
  ['CCO |$;;Q_e$|', /labels an atom “Q_e”, a placeholder; this is not a single compound/],
  ['CCO |$;;A$|', /labels an atom “A”/],
  ['CCO |$X;;$|', /labels an atom “X”/],
  ['CCO |$star_e;;$|', /labels an atom “star_e”/],
  ['CCO |(0,0,;1,0,;2,0,),$_R1;;$|', /labels an atom “_R1”/],
  ['CCO |$_AV:1;2;3$,$;;_AP1$|', /labels an atom “_AP1”/],
  ['CCO |s:1:2|', /makes this a query/],
  ['CCO |Sg:n:1:n:ht|', /variable groups or repeats/],
  ['Cl.c1ccccc1 |m:0:1.2.3|', /variable groups or repeats/],
  ['CN[Pt] |C:1.1|', /changes bond types/],
  ['CCO |$;a\u0007;$|', /contains a control character/],
])('an extension that changes the molecule is rejected: %j', (line, reason) => {
  const refused = { ok: false, reason: expect.stringMatching(reason) as string }
  expect(read(line)).toMatchObject(refused)
})
