import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '..')

// Panels and forms load their styles when they are first opened: a class that
// two parts of the page both style would look otherwise from then on.
it('a class is styled by one style sheet alone', () => {
  const homes = new Map<string, Set<string>>()
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  for (const file of sheets) {
    for (const [, name = ''] of readFileSync(join(source, file), 'utf8').matchAll(/^\.([\w-]+)(?=\s*[,{])/gm)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file))
    }
  }
  expect(homes.size).toBeGreaterThan(50)
  expect([...homes].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([])
})
