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
  await film.step('a window that is gone lets go, and the other keeps the instance', async () => {
    const { pid } = film.listed(shop)
    await film.close(three)
    await until('one window holds the instance', () => film.listed(shop)?.leases?.length === 1)
    assert.equal(film.listed(shop).pid, pid)
    assert.match(JSON.stringify(await film.agent.call(shop, 'get-tables', {})), /album/)
  })
}

// joinedBefore counts how often windows had joined other instances than that.
async function joinedBefore({ world, projects }, pid) {
  return (await world.events('state')).filter((e) => e.kind === 'ready' && e.root === projects.shop && e.ready.pid !== pid).length
}
