// The extension in a real editor, as a person has it: two windows on two
// folders and one agent, a third window that joins, approvals approved and
// rejected by clicking, the designer in a tab, crashes. Usage, by Node 22 or newer:
//
//   node editor/film.mjs CODE_SERVER_ENTRY BERTH [FOLDER FOR PICTURES]
//
// It waits for what the extension logs or the editor shows, and for no time.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from './agent.mjs'
import { Browser, until } from './cdp.mjs'
import { World } from './world.mjs'

const [codeServer, program, pictures] = process.argv.slice(2)
if (pictures) await mkdir(pictures, { recursive: true })

let passed = 0
let shot = 0

async function step(what, run) {
  const began = Date.now()
  await run()
  passed++
  process.stdout.write(`ok ${what} (${Date.now() - began} ms)\n`)
}

async function picture(page, name) {
  if (pictures) await page.picture(join(pictures, `${String(++shot).padStart(2, '0')}-${name}.png`))
}

const ready = (root) => (e) => e.kind === 'ready' && e.root === root
const list = () => JSON.parse(execFileSync(world.program, ['ls', '--json'], { env: world.env, encoding: 'utf8' }))
const listed = (root) => list().find((p) => p.projectRoot === root)

const world = await World.make({ codeServer, program, firstPort: 45100, settings: {} })
const browser = await Browser.start(join(world.dir, 'browser'))
try {
  await film()
  process.stdout.write(`${passed} passed, 0 failed\n`)
} catch (cause) {
  for (const page of windows) await page.picture(join(pictures ?? world.dir, `failed-${windows.indexOf(page)}.png`)).catch(() => undefined)
  process.stderr.write(`${cause.stack}\n${(await world.events()).slice(-30).map((e) => JSON.stringify(e)).join('\n')}\n${world.said.slice(-3000)}\n${browser.errors.slice(-20).join('\n')}\n`)
  process.stdout.write(`${passed} passed, 1 failed\n`)
  process.exitCode = 1
} finally {
  await browser.close()
  await world.close()
}

var windows = []

async function open(root) {
  const page = await browser.window(world.address(root))
  windows.push(page)
  return page
}

async function film() {
  windows = []
  const shop = await world.project('shop', 'CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES artist(id), title TEXT); CREATE UNIQUE INDEX album_title ON album(title); INSERT INTO artist(name) VALUES (\'Nina\'), (\'Miles\');', {
    'GameScene.js': 'export const speed = 4\nexport const lives = 3\n', 'names.sql': 'SELECT id, name FROM artist ORDER BY id;\n',
  })
  const harbour = await world.project('harbour', 'CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT);')
  await world.startEditor()
  let one, two, agent
  await step('a window serves its folder', async () => {
    one = await open(shop)
    await world.heard('state', ready(shop))
    await one.see('#berth\\.status, .statusbar-item', 'shop:')
    const [{ ms, cpu }] = await world.heard('activated')
    process.stdout.write(`activated in ${ms.toFixed(1)} ms, of which ${cpu.toFixed(1)} ms of the processor\n`)
    await picture(one, 'first-open')
  })
  await step('the trees show databases and the projects of all windows', async () => {
    two = await open(harbour)
    await world.heard('state', ready(harbour))
    await one.click('.activitybar .action-label[aria-label^="Berth"]')
    await one.click('.monaco-list-row', 'album')
    await one.see('.monaco-list-row', 'artist_id')
    await one.see('.monaco-list-row', 'artist(id)')
    await one.see('.monaco-list-row', 'harbour')
    await picture(one, 'trees')
  })
  await step('one agent reaches both windows', async () => {
    agent = await Agent.start(world.program, world.env)
    assert.match(JSON.stringify(await agent.call(shop, 'get-tables', {})), /album/)
    assert.match(JSON.stringify(await agent.call(harbour, 'get-tables', {})), /boat/)
  })
  let third
  await step('a third window on the first folder joins its instance', async () => {
    third = await open(shop)
    const [first, joined] = await world.heard('state', ready(shop), 2)
    assert.equal(joined.ready.pid, first.ready.pid)
    assert.equal(listed(shop).leases.length, 2)
  })
  const edit = async () => {
    const { version } = await agent.call(shop, 'fs_read_file', { path: 'GameScene.js' })
    return agent.call(shop, 'fs_edit_file', { path: 'GameScene.js', version, edits: [{ old_text: 'speed = 4', new_text: 'speed = 5' }] })
  }
  await step('an edit waits, is shown as a diff, and is approved by a click', async () => {
    const asked = await edit()
    assert.equal(asked.reason, 'approval_required', JSON.stringify(asked))
    await one.see('.notification-toast', 'GameScene.js')
    await picture(one, 'notification')
    await one.click('.monaco-list-row', 'edit GameScene.js')
    await one.see('.editor-actions .action-label', 'Approve')
    await one.see('.monaco-diff-editor .view-line', 'speed')
    await picture(one, 'diff')
    await one.click('.editor-actions .action-label', 'Approve')
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'approved')
    await one.gone('.notification-toast', 'GameScene.js')
    await third.gone('.notification-toast', 'GameScene.js')
    const { version } = await agent.call(shop, 'fs_read_file', { path: 'GameScene.js' })
    await agent.call(shop, 'fs_edit_file', { path: 'GameScene.js', version, edits: [{ old_text: 'speed = 4', new_text: 'speed = 5' }], plan_id: asked.planId })
    assert.match(await readFile(join(shop, 'GameScene.js'), 'utf8'), /speed = 5/)
  })
  await step('a statement waits as SQL and is rejected by a click', async () => {
    const asked = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM artist' })
    await one.click('.monaco-list-row', 'Run this')
    await one.see('.view-line', 'DELETE')
    await picture(one, 'statement')
    await one.click('.editor-actions .action-label', 'Reject')
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'rejected')
    const again = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM artist', plan_id: asked.planId })
    assert.notEqual(again.success, true)
  })
  await step('the designer stands in a tab, in the editor’s colours, and edits', async () => {
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.album"]')
    await picture(one, 'designer')
    await one.click('[data-testid="add-table"]')
    await one.see('[data-testid="table-name"]')
    await one.click('[data-testid="table-name"]')
    await one.type('track')
    await one.click('[data-testid="save"]')
    await one.see('[data-testid="table-main.track"]')
    await until('the agent sees the table', async () => JSON.stringify(await agent.call(shop, 'mssql_schema_designer', { operation: 'get_overview' })).includes('track'))
    await one.see('.monaco-list-row', 'main.track')
    await picture(one, 'designer-edited')
  })
  await step('a query of a SQL file shows its rows', async () => {
    await one.click('.activitybar .action-label[aria-label^="Explorer"]')
    await one.click('.explorer-folders-view .monaco-list-row', 'names.sql', 2)
    await one.see('.view-line', 'SELECT')
    await one.command('Berth: Run Selection as a Query')
    await world.heard('rows', (e) => e.count === 2)
    await one.see('td', 'Miles')
    await picture(one, 'rows')
  })
  await step('an instance that is killed is back, once, for both its windows', async () => {
    const { pid, port } = listed(shop)
    process.kill(pid, 'SIGKILL')
    const back = await world.heard('state', (e) => ready(shop)(e) && e.ready.pid !== pid, 2)
    assert.equal(new Set(back.map((e) => e.ready.pid)).size, 1)
    assert.equal(listed(shop).port, port)
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.track"]')
    await picture(one, 'after-a-crash')
  })
  await step('an extension host that is killed lets go, and the other window keeps the instance', async () => {
    const { pid } = listed(shop)
    const hosts = (await world.events('state')).filter(ready(shop)).map((e) => e.host)
    process.kill(hosts.at(-1), 'SIGKILL')
    await until('its lease is gone or held again', async () => listed(shop)?.pid === pid)
    await third.close()
    windows.splice(windows.indexOf(third), 1)
    await until('one window holds the instance', async () => listed(shop)?.leases?.length === 1)
    assert.equal(listed(shop).pid, pid)
  })
  agent.close()
}
