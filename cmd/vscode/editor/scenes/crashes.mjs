import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { until } from '../until.mjs'

// crashes kills the instance, an extension host and a window.
export async function crashes(film) {
  const { one, three } = film
  const { shop } = film.projects
  await film.step('an instance that is killed is back, once, for both its windows', async () => {
    const { pid, port } = film.listed(shop)
    process.kill(pid, 'SIGKILL')
    const began = Date.now()
    const back = await film.ready(shop, 2 + (await joinedBefore(film, pid)), pid)
    process.stdout.write(`back in ${Date.now() - began} ms\n`)
    assert.equal(new Set(back.slice(-2).map((e) => e.ready.pid)).size, 1)
    assert.equal(film.listed(shop).port, port)
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.album"]')
    await film.picture(one, 'after-a-crash')
  })
  await film.step('an extension host that is killed is back, and its window joins again', async () => {
    const { pid } = film.listed(shop)
    const last = (await film.ready(shop)).at(-1)
    const count = (await film.ready(shop)).length
    process.kill(last.host, 'SIGKILL')
    await until('what held the instance for it has ended', () => !existsSync(`/proc/${last.attach}`))
    const again = (await film.ready(shop, count + 1)).at(-1)
    assert.notEqual(again.host, last.host)
    assert.equal(again.ready.pid, pid)
    await until('both windows hold it', () => film.listed(shop).leases?.length === 2)
  })
  await film.step('a window whose renderer is killed is opened again, and nothing is lost', () => crashedWindow(film))
  await film.step('a window that is gone lets go, and the other keeps the instance', async () => {
    const { pid } = film.listed(shop)
    await film.close(three)
    await until('one window holds the instance', () => film.listed(shop)?.leases?.length === 1)
    assert.equal(film.listed(shop).pid, pid)
    assert.match(JSON.stringify(await film.agent.call(shop, 'get-tables', {})), /album/)
  })
}

// crashedWindow kills what draws the first window, with a change of the design
// and a plan in it, and opens the window again, with another change meanwhile.
async function crashedWindow(film) {
  const { agent, world, one, projects: { shop } } = film
  const design = (operation, payload) => agent.call(shop, 'mssql_schema_designer', { operation, payload })
  const add = async (name) => {
    const { version: expectedVersion } = await design('get_overview')
    const made = await design('apply_edits', { expectedVersion, edits: [{ op: 'add_table', table: { name }, initialColumns: [{ name: 'id', dataType: 'integer' }] }] })
    assert.equal(made.success, true, JSON.stringify(made))
    return made.version
  }
  const { pid } = film.listed(shop)
  const windows = (await world.events('activated')).length
  const { planId } = await agent.call(shop, 'execute-sql', { statement: 'DELETE FROM artist' })
  await add('before')
  await one.see('.monaco-list-row', 'Run this')
  await one.crash()
  const version = await add('meanwhile')
  await one.reload()
  const again = (await world.heard('activated', () => true, windows + 1)).at(-1)
  await world.heard('state', (e) => e.kind === 'ready' && e.host === again.host)
  assert.equal(film.listed(shop).pid, pid)
  assert.equal(film.all().filter((p) => p.projectRoot === shop).length, 1)
  await one.click('.tab', 'Designer: shop')
  await one.see(`[data-testid="sync"][data-version="${version}"]`)
  await film.picture(one, 'window-again')
  assert.equal((await design('get_overview')).version, version)
  await one.showPlan('Run this')
  await one.click('.editor-actions .action-label', 'Reject')
  await world.heard('planDecided', (e) => e.id === planId && e.state === 'rejected')
  await until('the window that was killed has let go', () => film.listed(shop).leases.length === 2)
}

// joinedBefore counts how often windows had joined other instances than that.
async function joinedBefore({ world, projects }, pid) {
  return (await world.events('state')).filter((e) => e.kind === 'ready' && e.root === projects.shop && e.ready.pid !== pid).length
}
