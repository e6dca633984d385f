import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// fastMode allows what the project's files ask, and takes back what is then
// edited without asking.
export async function fastMode(film) {
  const { agent, world, one } = film
  const { shop } = film.projects
  const file = join(shop, 'GameScene.js')
  const edit = async (from, to) => {
    const { version } = await agent.call(shop, 'fs_read_file', { path: 'GameScene.js' })
    return agent.call(shop, 'fs_edit_file', { path: 'GameScene.js', version, edits: [{ old_text: from, new_text: to }] })
  }
  await film.step('what the project’s files ask is a list, allowed by a click', async () => {
    await world.heard('asks', (e) => e.root === shop && e.count === 1)
    await one.command('Berth: Allow What the Project Asks')
    await one.see('.monaco-dialog-box', '.berth/config.yaml:1')
    await film.picture(one, 'asks')
    await one.click('.monaco-dialog-box .monaco-button', 'Allow')
    await world.heard('trusted', (e) => e.root === shop && e.count === 1)
    const edited = await edit('lives = 3', 'lives = 2')
    assert.equal(edited.success, true, JSON.stringify(edited))
  })
  await film.step('an edit of fast mode is undone by a click', async () => {
    await one.see('.notification-toast', 'AI edited GameScene.js')
    await film.picture(one, 'fast-edit')
    await one.click('.notification-toast .monaco-button', 'Undo')
    await world.heard('fastEditUndo', (e) => e.state === 'undone')
    assert.match(await readFile(file, 'utf8'), /lives = 3/)
  })
  await film.step('what the window says, its designer does not say again', async () => {
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.album"]')
    assert.equal((await edit('lives = 3', 'lives = 2')).success, true)
    await one.see('.notification-toast', 'AI edited GameScene.js')
    await film.picture(one, 'said-once')
    await one.click('.notification-toast .monaco-button', 'Undo')
    await world.heard('fastEditUndo', (e) => e.state === 'undone', 2)
    const asked = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM album' })
    await one.see('.notification-toast', 'Run this')
    await hears(film, 'heard')
    assert.equal(await one.find('[data-testid="toast"]', 'AI edited'), null)
    assert.equal(await one.find('[data-testid="toast"]', 'Waits for you'), null)
    await one.showPlan('Run this')
    await one.click('.editor-actions .action-label', 'Reject')
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'rejected')
  })
  await film.step('what the project’s files ask more is said once', async () => {
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.artist"]')
    await writeFile(join(shop, '.berth', 'config.yaml'), 'files: {mode: fast}\npublish: {unattended: true}\n')
    await world.heard('asks', (e) => e.root === shop && e.count === 1, 2)
    await one.see('.notification-toast', 'shop:')
    await film.picture(one, 'asked-once')
    await one.click('.notification-toast .monaco-button', 'Not Now')
    await hears(film, 'asked')
    assert.equal(await one.find('[data-testid="toast"]', 'waits for your trust'), null)
  })
  await film.step('an edit that is not the last word opens its difference', async () => {
    assert.equal((await edit('lives = 3', 'lives = 1')).success, true)
    await one.see('.notification-toast', 'AI edited GameScene.js')
    await writeFile(file, 'export const speed = 5\nexport const lives = 9 // by hand\n')
    await one.click('.notification-toast .monaco-button', 'Undo')
    await world.heard('fastEditUndo', (e) => e.state === 'changed')
    await one.see('.monaco-diff-editor .view-line', 'by hand')
    await film.picture(one, 'not-undone')
    assert.match(await readFile(file, 'utf8'), /by hand/)
  })
}

// hears waits until the designer has heard all that was said before: it hears in
// order, and a table is made after the rest. The table may lie outside the part
// of the canvas that is drawn, but the version that holds it shows everywhere.
async function hears({ agent, one, projects: { shop } }, table) {
  const design = (operation, payload) => agent.call(shop, 'mssql_schema_designer', { operation, payload })
  const { version } = await design('show')
  const made = await design('apply_edits', { expectedVersion: version, edits: [{ op: 'add_table', table: { name: table }, initialColumns: [{ name: 'id', dataType: 'integer' }] }] })
  assert.equal(made.success, true, JSON.stringify(made))
  await one.see(`[data-testid="sync"][data-version="${made.version}"]`)
}
