import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const dist = join(import.meta.dirname, '..', '..', 'dist')
const most = 200 // kB that a browser waits for before it shows anything

// What the document names is loaded at first; the rest is on demand. It is
// compressed as page.go does it, as well as gzip can.
it('the first load stays below 200 kB compressed', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const named = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
  const kinds = ['type="module"', 'rel="modulepreload"', 'rel="stylesheet"'].map((kind) => page.split(kind).length - 1)
  expect(Math.min(...kinds)).toBeGreaterThan(0)
  expect(named).toHaveLength(kinds.reduce((sum, n) => sum + n)) // none is left out
  const sizes = ['index.html', ...named].map((file) => ({ file, kB: gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000 }))
  const sum = sizes.reduce((all, { kB }) => all + kB, 0)
  process.stdout.write(`the first load: ${sum.toFixed(1)} kB of at most ${most} in ${sizes.length} files\n`)
  expect(sum, sizes.map(({ file, kB }) => `${kB.toFixed(1)} ${file}`).join('\n')).toBeLessThan(most)
})
