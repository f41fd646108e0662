/** Where names and addresses may break. */
import { expect, test } from 'vitest'
import { partsOf } from './breakable-name.tsx'

test.each([
  ['CHEMBL3414740', ['CHEMBL', '3414740']],
  ['amprenavir', ['amprenavir']],
  ['RBP4-CHEMBL3359013', ['RBP4-', 'CHEMBL', '3359013']],
  ['plate_7/B12', ['plate_', '7/', 'B', '12']],
  ['VX-478', ['VX-', '478']],
  ['maria@lab.example', ['maria@', 'lab.', 'example']],
])('the name %s breaks before digits and after signs', (name, parts) => {
  expect(partsOf(name)).toEqual(parts)
  expect(partsOf(name).join('')).toBe(name)
})
