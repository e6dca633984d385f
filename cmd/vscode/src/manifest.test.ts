import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// package.json and the sources name the same things.

interface Manifest {
  contributes: {
    commands: { command: string }[]
    keybindings: { command: string; key: string; mac?: string }[]
    menus: Record<string, { command: string }[]>
    views: Record<string, { id: string }[]>
    configuration: { properties: Record<string, object> }
    walkthroughs: { steps: { description: string; completionEvents: string[]; media: { markdown: string } }[] }[]
    viewsWelcome: { contents: string }[]
  }
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const { commands, keybindings, menus, views, configuration, walkthroughs, viewsWelcome } = manifest.contributes
const files = readdirSync('src').filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts')).map((name) => ({ name, text: readFileSync(`src/${name}`, 'utf8') }))
const source = files.map((f) => f.text).join('\n')
const found = (pattern: RegExp): string[] => [...source.matchAll(pattern)].map((m) => m[1] ?? '')
const declared = commands.map((c) => c.command)

it('every command is declared and registered', () => {
  const within = ['berth.showPlan'] // run by the extension itself
  const registered = found(/(?:registerCommand|\bon)\(\s*'(berth\.\w+)'/g)
  expect([...registered].sort()).toEqual([...declared, ...within].sort())
})

it('menus, keys, welcomes and walkthroughs lead to commands that there are', () => {
  const told = [...walkthroughs.flatMap((w) => w.steps.map((s) => s.description)), ...viewsWelcome.map((v) => v.contents)]
  const linked = told.flatMap((text) => [...text.matchAll(/\(command:(berth\.\w+)\)/g)].map((m) => m[1] ?? ''))
  const events = walkthroughs.flatMap((w) => w.steps.flatMap((s) => s.completionEvents)).filter((e) => e.startsWith('onCommand:')).map((e) => e.slice('onCommand:'.length))
  const used = [...Object.values(menus).flat().map((m) => m.command), ...keybindings.map((k) => k.command), ...linked, ...events]
  expect(used.filter((c) => !declared.includes(c))).toEqual([])
  for (const step of walkthroughs.flatMap((w) => w.steps)) expect(readFileSync(step.media.markdown, 'utf8')).not.toBe('')
  for (const { key, mac } of keybindings) expect(mac, key).toBe(key.replace('ctrl', 'cmd'))
})

it('every view is filled, every setting read', () => {
  const ids = Object.values(views).flat().map((v) => v.id)
  expect([...new Set(found(/createTreeView\('(berth\.\w+)'/g))].sort()).toEqual([...ids].sort())
  for (const name of Object.keys(configuration.properties)) {
    const [section, ...rest] = name.split('.')
    expect(source, name).toContain(`'${rest.join('.')}'`)
    expect(source, name).toContain(`'${section ?? ''}'`)
  }
})

// A query's rows are cut by the instance first: what the setting alone cannot
// raise, it says.
it('how many rows a query shows says what bounds it', () => {
  const rows = configuration.properties['berth.query.rows'] as { markdownDescription: string; maximum: number }
  expect(rows.markdownDescription).toContain('`query.maxRows`')
  expect(rows.maximum).toBe(100_000) // as of query.maxRows
})

// A window waits for each import: the bundle copies several hundred names.
it('the editor’s API is imported once', () => {
  expect(files.filter((f) => /from 'vscode'/.test(f.text)).map((f) => f.name)).toEqual(['vscode.ts'])
})
