import { expect, test } from 'vitest'
import { unfit } from './address'

test.each([
  ['/', true, null],
  ['/', false, 'insecure'],
  ['/proxy/50001/', true, 'shared'],
  ['/index.html', true, 'shared'],
])('%s, secure %s', (path, secure, why) => {
  expect(unfit(path, secure)).toBe(why)
})
