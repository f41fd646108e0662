/** Alignments checked by hand, and relatives with published sequence identities. */
import { expect, test } from 'vitest'
import { alignLocally, encodeSequence, expectedByChance } from './local-alignment.ts'

const align = (one: string, other: string) =>
  alignLocally(encodeSequence(one), encodeSequence(other))

// The first domain-sized pieces of human haemoglobin alpha and beta, 43% identical.
const alpha =
  'VLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR'
const beta =
  'VHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFGKEFTPPVQAAYQKVVAGVANALAHKYH'

test('a sequence is 100% identical to itself, and its score is the sum over its residues', () => {
  expect(align('WWHC', 'WWHC')).toEqual({ aligned: 4, identical: 4, score: 11 + 11 + 8 + 9 })
})

test('unmatched ends are left out', () => {
  expect(align('PPPPWWHCPPPP', 'GGWWHCGG')).toEqual({ aligned: 4, identical: 4, score: 39 })
})

test('a gap costs 11 and 1 for each further residue, in either sequence', () => {
  const whole = 'WWWWWWHHHHHH'
  const cut = 'WWWWWWAAAHHHHHH'
  const score = 6 * 11 + 6 * 8 - 11 - 1 - 1
  expect(align(whole, cut)).toEqual({ aligned: 12, identical: 12, score })
  expect(align(cut, whole)).toEqual({ aligned: 12, identical: 12, score })
})

test('lower-case letters are equivalent, and an unknown letter matches nothing, not even itself', () => {
  expect(align('wwhc', 'WWHC')?.identical).toBe(4)
  expect(align('WWXWW', 'WWXWW')).toEqual({ aligned: 5, identical: 4, score: 43 })
})

test('haemoglobin’s chains are 43% identical along nearly their whole length, which is not chance', () => {
  const found = align(alpha, beta)
  expect(found?.aligned).toBeGreaterThan(135)
  expect((found?.identical ?? 0) / (found?.aligned ?? 1)).toBeCloseTo(0.43, 1)
  expect(expectedByChance(found?.score ?? 0, alpha.length, 1e6)).toBeLessThan(1e-20)
})

test('unrelated sequences are as similar as chance predicts', () => {
  const found = align(alpha, alpha.split('').toReversed().join(''))
  expect(expectedByChance(found?.score ?? 0, alpha.length, 1e6)).toBeGreaterThan(1)
})

test('sequences without similarity are not aligned, and very long ones are skipped', () => {
  expect(align('WWWW', 'PPPP')).toEqual({ aligned: 0, identical: 0, score: 0 })
  expect(align('A'.repeat(3000), 'A'.repeat(3000))).toBeNull()
})
