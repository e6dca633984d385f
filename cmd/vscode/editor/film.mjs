// The extension in a real editor, as a person has it: windows on two folders
// and one agent, approvals approved and rejected by clicking, trust, the
// designer in a tab, queries, crashes. Usage, by Node 22 or newer:
//
//   node editor/film.mjs CODE_SERVER_ENTRY VSIX [FOLDER FOR PICTURES]
//
// It waits for what the extension logs or the editor shows, and for no time.
// The scenes are in scenes/. BERTH_SCENES=windows,crashes plays these alone; all
// but offers and chat need windows.
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from './agent.mjs'
import { Browser } from './cdp.mjs'
import { addScripted } from './scripted.mjs'
import { chat } from './scenes/chat.mjs'
import { crashes } from './scenes/crashes.mjs'
import { decisions } from './scenes/decisions.mjs'
import { designer } from './scenes/designer.mjs'
import { fastMode } from './scenes/fastmode.mjs'
import { menus } from './scenes/menus.mjs'
import { offers } from './scenes/offers.mjs'
import { tables } from './scenes/tables.mjs'
import { trust } from './scenes/trust.mjs'
import { windows } from './scenes/windows.mjs'
import { World } from './world.mjs'

const [codeServer, vsix, pictures] = process.argv.slice(2)
if (pictures) await mkdir(pictures, { recursive: true })

// Film is what the scenes share.
class Film {
  passed = 0
  strip = [] // the pictures, with the step that each belongs to
  open = [] // pages
  projects = {} // their roots, by name

  async step(what, run) {
    const began = Date.now()
    this.doing = what
    await run()
    this.passed++
    process.stdout.write(`ok ${what} (${Date.now() - began} ms)\n`)
  }

  async picture(page, name) {
    if (!pictures) return
    await page.still('.notification-toast')
    const file = `${String(this.strip.length + 1).padStart(2, '0')}-${name}.png`
    await page.picture(join(pictures, file))
    this.strip.push(`<figure><img src="${file}" alt="" width="640"><figcaption>${this.doing}</figcaption></figure>`)
  }

  async window(root) {
    const page = await this.browser.window(this.world.address(root))
    this.open.push(page)
    return page
  }

  async close(page) {
    await page.close()
    this.open.splice(this.open.indexOf(page), 1)
  }

  // ready waits until so many windows have a project served by an instance that
  // is not the one of a process id.
  ready(root, count = 1, not = 0) {
    return this.world.heard('state', (e) => e.kind === 'ready' && e.root === root && e.ready.pid !== not, count)
  }

  // all are the projects that are served.
  all() {
    return JSON.parse(execFileSync(this.world.program, ['ls', '--json'], { env: this.world.env, encoding: 'utf8' }))
  }

  listed(root) {
    return this.all().find((p) => p.projectRoot === root)
  }

  async failed(cause) {
    const shown = []
    for (const [i, page] of this.open.entries()) {
      await page.picture(join(pictures ?? '/tmp', `failed-${i}.png`)).catch(() => undefined)
      const text = await page.text().catch(String)
      shown.push(`window ${i} shows: ${text.length > 3000 ? `${text.slice(0, 1000)} … ${text.slice(-2000)}` : text}`)
    }
    const log = (await this.world.events()).slice(-30).map((e) => JSON.stringify(e))
    process.stderr.write(`${log.join('\n')}\n${this.world.said.slice(-3000)}\n${this.browser.errors.slice(-10).join('\n')}\n${shown.join('\n')}\nfailed in: ${this.doing}\n${cause.stack}\n`)
  }
}

const film = new Film()
film.world = await World.make({ codeServer, vsix, firstPort: 45100 })
film.browser = await Browser.start(join(film.world.dir, 'browser'))
try {
  await addScripted(join(film.world.dir, 'extensions'))
  await film.world.startEditor()
  film.agent = await Agent.start(film.world.program, film.world.env)
  const only = process.env.BERTH_SCENES?.split(',')
  for (const scene of [windows, decisions, designer, menus, tables, offers, chat, fastMode, crashes, trust]) {
    if (!only || only.includes(scene.name)) await scene(film)
  }
  if (pictures) await writeFile(join(pictures, 'film.html'), `<!doctype html><meta charset="utf-8"><title>Berth in an editor</title>\n${film.strip.join('\n')}\n`)
  process.stdout.write(`${film.passed} passed, 0 failed\n`)
} catch (cause) {
  await film.failed(cause)
  process.stdout.write(`${film.passed} passed, 1 failed\n`)
  process.exitCode = 1
} finally {
  film.agent?.close()
  await film.browser.close()
  await film.world.close()
}
