import { expect, it } from 'vitest'
import { compact } from './number'

it('has room for any count', () => {
  expect([0, 7, 999, 1000, 1499, 12_345, 999_499].map(compact)).toEqual(['0', '7', '999', '1K', '1K', '12K', '999K'])
})
