import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keysOf } from './shortcuts'

const source = join(import.meta.dirname, '..')

// Words typed while no field has the focus run the bare keys one by one.
it('no letter or digit alone does more than look', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.tsx'))
  const bare = files.flatMap((f) => [...readFileSync(join(source, f), 'utf8').matchAll(/useShortcut\('([^'+]|\+)', '([^']*)'/g)].map(([, key, does]) => `${key ?? ''} ${does ?? ''}`))
  expect(new Set(bare)).toEqual(new Set(['? Show the shortcuts', '1 Zoom to fit', '+ Zoom in', '= Zoom in', '- Zoom out']))
})

it('with Alt the key counts, whatever a Mac would write', () => {
  expect(keysOf(new KeyboardEvent('keydown', { key: '¬', code: 'KeyL', altKey: true }))).toBe('alt+l')
  expect(keysOf(new KeyboardEvent('keydown', { key: 'z', code: 'KeyZ', ctrlKey: true, shiftKey: true }))).toBe('shift+mod+z')
})
