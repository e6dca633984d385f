import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../until.mjs'

const music = `CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES artist(id), title TEXT);
CREATE TABLE leaflet (id INTEGER PRIMARY KEY, body TEXT);
CREATE UNIQUE INDEX album_title ON album(title);
INSERT INTO artist(name) VALUES ('Nina'), ('Miles');
INSERT INTO leaflet(body) VALUES ('old');`

const boats = `CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO boat(name) VALUES ('Nina'), ('Miles'), ('Ella, "Fitz"');`

// windows opens two windows on two folders, a third that joins, and one that
// serves nothing.
export async function windows(film) {
  const { world } = film
  const shop = (film.projects.shop = await world.project('shop', music, {
    'GameScene.js': 'export const speed = 4\nexport const lives = 3\n',
    'names.sql': 'SELECT id, name FROM artist ORDER BY id;\n',
    '.berth/config.yaml': 'files: {mode: fast}\n',
  }))
  const harbour = (film.projects.harbour = await world.project('harbour', boats, {
    'boats.sql': 'SELECT id, name FROM boat ORDER BY id;\n',
    'dropped.sql': 'SELECT count(*) AS boats FROM \n',
  }))
  await film.step('a window serves its folder', async () => {
    film.one = await film.window(shop)
    await film.ready(shop)
    await film.one.see('#berth\\.status, .statusbar-item', 'shop:')
    await film.picture(film.one, 'first-open')
  })
  await film.step('the editor has the extension from its file, with the program inside', async () => {
    const { installed } = JSON.parse(execFileSync(world.program, ['version', '--json'], { env: world.env, encoding: 'utf8' }))
    assert.equal(installed?.by, 'vsix')
    await film.one.command('Extensions: Show Installed Extensions')
    await film.one.see('.extension-list-item', 'Berth')
    await film.picture(film.one, 'installed')
  })
  await film.step('the trees show databases and the projects of all windows', async () => {
    film.two = await film.window(harbour)
    await film.ready(harbour)
    await film.one.click('.activitybar .action-label[aria-label^="Berth"]')
    await film.one.click('.monaco-list-row', 'album')
    await film.one.see('.monaco-list-row', 'artist_id')
    await film.one.see('.monaco-list-row', 'artist(id)')
    await film.one.see('.monaco-list-row', 'harbour')
    await film.picture(film.one, 'trees')
  })
  await film.step('the tree shows the tables that are asked for', async () => {
    await film.one.command('Berth: Filter Tables')
    await film.one.answer('Show tables with this', 'ART')
    await film.one.gone('.monaco-list-row', 'album')
    await film.one.see('.monaco-list-row', 'artist')
    await film.picture(film.one, 'filtered')
    await film.one.command('Berth: Show All Tables')
    await film.one.see('.monaco-list-row', 'album')
  })
  await film.step('one agent reaches both windows', async () => {
    assert.match(JSON.stringify(await film.agent.call(shop, 'get-tables', {})), /album/)
    assert.match(JSON.stringify(await film.agent.call(harbour, 'get-tables', {})), /boat/)
    await film.picture(film.two, 'two-windows')
  })
  await film.step('a third window on the first folder joins its instance', async () => {
    film.three = await film.window(shop)
    const [first, joined] = await film.ready(shop, 2)
    assert.equal(joined.ready.pid, first.ready.pid)
    assert.equal(film.listed(shop).leases.length, 2)
  })
  await film.step('the status bar says who is connected', async () => {
    await film.one.command('Berth: Show How the Project Stands')
    await film.one.see('.quick-input-list .monaco-list-row', 'code-server: shop')
    await film.picture(film.one, 'connected')
    await film.one.key('Escape', 'Escape', 0, 27)
  })
  await film.step('a window with two folders joins the instance of each', async () => {
    const both = join(world.dir, 'both.code-workspace')
    await writeFile(both, JSON.stringify({ folders: [{ path: shop }, { path: harbour }] }))
    const pids = [shop, harbour].map((root) => film.listed(root).pid)
    const page = await film.window(both)
    await until('it holds both', async () => {
      await reloadEmpty(page)
      return film.listed(shop).leases.length === 3 && film.listed(harbour).leases.length === 2
    })
    assert.deepEqual([shop, harbour].map((root) => film.listed(root).pid), pids)
    await film.picture(page, 'two-folders')
    await film.close(page)
    await until('it has let both go', () => film.listed(shop).leases.length === 2 && film.listed(harbour).leases.length === 1)
  })
  await film.step('a folder that turns DevDB’s setting off is not served', async () => {
    const quay = await world.project('quay', 'CREATE TABLE q (id INTEGER);', { '.vscode/settings.json': '{"Devdb.enableMcpServer": false}' })
    const before = (await world.events('served')).length
    const page = await film.window(quay)
    const served = (await world.heard('served', () => true, before + 1)).at(-1)
    assert.deepEqual(served.roots, [])
    assert.equal(film.listed(quay), undefined)
    await film.close(page)
  })
}

// reloadEmpty loads a window again in which the editor opened a workspace
// without its folders, which it does now and then, whatever the extension.
async function reloadEmpty(page) {
  for (const seconds of [5, 2]) {
    if (!(await page.text()).includes('No Folder Opened')) return
    await pause(1_000 * seconds)
  }
  await page.reload()
}
