import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// decisions approves and rejects what an agent asks for.
export async function decisions(film) {
  const { agent, world, one, three } = film
  const { shop } = film.projects
  const edit = async (more = {}) => {
    const { version } = await agent.call(shop, 'fs_read_file', { path: 'GameScene.js' })
    return agent.call(shop, 'fs_edit_file', { path: 'GameScene.js', version, edits: [{ old_text: 'speed = 4', new_text: 'speed = 5' }], ...more })
  }
  await film.step('an edit waits, is shown as a diff, and is approved by a click', async () => {
    const asked = await edit()
    assert.equal(asked.reason, 'approval_required', JSON.stringify(asked))
    await one.see('.notification-toast', 'GameScene.js')
    await film.picture(one, 'notification')
    await one.showPlan('edit GameScene.js')
    await one.see('.editor-actions .action-label', 'Approve')
    await one.see('.monaco-diff-editor .view-line', 'speed')
    await film.picture(one, 'diff')
    await one.click('.editor-actions .action-label', 'Approve')
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'approved')
    await one.gone('.notification-toast', 'GameScene.js')
    await three.gone('.notification-toast', 'GameScene.js')
    await edit({ plan_id: asked.planId })
    assert.match(await readFile(join(shop, 'GameScene.js'), 'utf8'), /speed = 5/)
  })
  await film.step('a statement waits as SQL and is rejected by a click', async () => {
    const asked = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM artist' })
    await one.showPlan('Run this')
    await one.see('.view-line', 'DELETE')
    await film.picture(one, 'statement')
    await one.click('.editor-actions .action-label', 'Reject')
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'rejected')
    const again = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM artist', plan_id: asked.planId })
    assert.notEqual(again.success, true)
  })
  await film.step('a plan that loses data takes the database’s name', async () => {
    const design = (operation, more = {}) => agent.call(shop, 'mssql_schema_designer', { operation, ...more })
    const { version } = await design('show')
    const dropped = await design('apply_edits', { payload: { expectedVersion: version, edits: [{ op: 'drop_table', table: { name: 'leaflet' } }] } })
    assert.equal(dropped.success, true, JSON.stringify(dropped))
    const asked = await design('publish')
    assert.equal(asked.reason, 'approval_required', JSON.stringify(asked))
    await one.showPlan('Publish 1 change')
    await one.see('.view-line', 'DROP TABLE')
    await one.click('.editor-actions .action-label', 'Approve')
    await one.see('.quick-input-widget', 'Type shop.db to approve it')
    await one.type('shop')
    await one.enter()
    await one.see('.quick-input-message', 'Not shop.db yet')
    await film.picture(one, 'data-loss')
    await one.type('.db')
    await one.gone('.quick-input-message', 'Not shop.db yet')
    await one.enter()
    await world.heard('planDecided', (e) => e.id === asked.planId && e.state === 'approved')
    const done = await design('publish', { payload: { planId: asked.planId } })
    assert.equal(done.success, true, JSON.stringify(done))
    assert.doesNotMatch(JSON.stringify(await agent.call(shop, 'get-tables', {})), /leaflet/)
  })
}
