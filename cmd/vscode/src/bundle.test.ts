import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../bundle.mjs'

const folder = mkdtempSync(join(tmpdir(), 'berth-bundle-'))
const file = (name: string): string => join(folder, name)
beforeAll(() => bundle(folder))
afterAll(() => rmSync(folder, { recursive: true }))

// mostFirst is how much of the extension each window that opens waits for.
const mostFirst = 2000 // bytes

it('a window that opens waits for a file of little, which needs nothing', () => {
  expect(statSync(file('extension.cjs')).size).toBeLessThan(mostFirst)
})

it('the rest is read and run once activate has returned, and the editor waits for that', async () => {
  writeFileSync(file('main.cjs'), `exports.start = (told) => told.push('started')`)
  const { activate } = createRequire(import.meta.url)(file('extension.cjs')) as { activate: (context: string[]) => Promise<void> }
  const told: string[] = []
  const activated = activate(told)
  await Promise.resolve() // what runs before the host's next turn
  expect(told).toEqual([])
  await activated
  expect(told).toEqual(['started'])
})
