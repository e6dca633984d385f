// What the extension costs a window that opens: so many windows on one folder,
// one after the other. Usage, by Node 22 or newer:
//
//   node editor/activation.mjs CODE_SERVER_ENTRY VSIX [WINDOWS]
//
// It prints what the editor itself measured (Developer: Show Running
// Extensions: reading the bundle and activate), and activate alone.
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { Browser } from './cdp.mjs'
import { World } from './world.mjs'

const [codeServer, vsix, windows = '5'] = process.argv.slice(2)
const bound = 50 // ms of the extension host's time

const world = await World.make({ codeServer, vsix, firstPort: 45300 })
const browser = await Browser.start(join(world.dir, 'browser'))
try {
  const figures = await measure(Number(windows))
  for (const [what, list] of Object.entries(figures)) {
    const sorted = [...list].sort((a, b) => a - b)
    process.stdout.write(`${what}: median ${sorted[Math.floor(sorted.length / 2)].toFixed(1)} ms, most ${sorted.at(-1).toFixed(1)} ms, of ${sorted.length} windows\n`)
  }
  process.stdout.write(`load of the machine: ${loadavg()[0].toFixed(1)}\n`)
  if (Math.max(...figures['reading and activating']) > bound) {
    process.stdout.write(`more than ${bound} ms\n`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
  await world.close()
}

async function measure(count) {
  const root = await world.project('shop', 'CREATE TABLE artist (id INTEGER PRIMARY KEY);')
  await world.startEditor()
  const whole = []
  for (let i = 1; i <= count; i++) {
    const page = await browser.window(world.address(root))
    await world.heard('state', (e) => e.kind === 'ready', i)
    // The list has rows for what is seen alone, the slowest extension first.
    await page.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 4000, deviceScaleFactor: 1, mobile: false })
    await page.command('Developer: Show Running Extensions')
    const row = await page.see('.runtime-extensions-editor .monaco-list-row', 'Berth')
    const [, ms] = /Activation:\s*(\d+)\s*ms/.exec(row.text) ?? []
    if (ms === undefined) throw new Error(`the editor says no time: ${row.text}`)
    whole.push(Number(ms))
    await page.close()
  }
  const own = await world.events('activated')
  return { 'reading and activating': whole, 'activate alone': own.map((e) => e.ms), 'of it the processor': own.map((e) => e.cpu) }
}
