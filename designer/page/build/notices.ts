import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  repository?: string | { url?: string }
}

// notices writes the licences of everything that ships in the build to
// third-party-notices.txt: all packages below `dependencies`, sorted, with
// the licence text each one carries.
export function notices(): Plugin {
  return {
    name: 'berth-notices',
    apply: 'build',
    generateBundle() {
      const root = import.meta.dirname.replace(/\/build$/, '')
      const found = new Map<string, string>()
      const own = manifest(root)
      for (const name of Object.keys(own.dependencies ?? {})) collect(root, root, name, found)
      const parts = [...found.keys()].sort().map((key) => found.get(key) ?? '')
      const head = 'The designer page contains these packages, each under its own licence.\n'
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source: [head, ...parts].join(`\n${'-'.repeat(72)}\n\n`) })
    },
  }
}

function manifest(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
}

// Types are erased by the build and are no part of what ships.
function collect(root: string, from: string, name: string, found: Map<string, string>): void {
  if (name.startsWith('@types/')) return
  const nested = join(from, 'node_modules', name)
  const dir = existsSync(nested) ? nested : join(root, 'node_modules', name)
  const m = manifest(dir)
  const key = `${m.name}@${m.version}`
  if (found.has(key)) return
  found.set(key, entry(dir, m))
  for (const next of Object.keys(m.dependencies ?? {})) collect(root, dir, next, found)
}

function entry(dir: string, m: Manifest): string {
  const files = readdirSync(dir).filter((f) => /^(licen[cs]e|notice|copying)/i.test(f)).sort()
  const texts = files.map((f) => readFileSync(join(dir, f), 'utf8').replaceAll('\r\n', '\n').trim())
  const source = typeof m.repository === 'string' ? m.repository : (m.repository?.url ?? '')
  const chosen = m.license === 'EPL-2.0 OR GPL-3.0-or-later' ? 'EPL-2.0' : (m.license ?? 'see below')
  const lines = [`${m.name} ${m.version}`, `Licence: ${chosen}`, `Source: ${source}`]
  return [lines.join('\n'), ...texts].join('\n\n') + '\n'
}
