// A browser over the DevTools protocol, by Node's own WebSocket.
import { spawn } from 'node:child_process'
import { Page } from './page.mjs'

export class Browser {
  static async start(folder) {
    const child = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--force-device-scale-factor=1', `--user-data-dir=${folder}`, '--remote-debugging-port=0', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    const address = await new Promise((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text
        const [, url] = /DevTools listening on (\S+)/.exec(said) ?? []
        if (url) resolve(url)
      })
      child.on('exit', () => reject(new Error(`chromium ended: ${said}`)))
    })
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    return new Browser(child, socket)
  }

  constructor(child, socket) {
    this.child = child
    this.socket = socket
    this.last = 0
    this.waiting = new Map()
    this.events = [] // that are waited for
    this.errors = [] // of the pages' consoles
    socket.onmessage = ({ data }) => this.hear(JSON.parse(data))
  }

  hear({ id, result, error, method, params, sessionId }) {
    // A window that is reloaded asks whether to leave.
    if (method === 'Page.javascriptDialogOpening') void this.send('Page.handleJavaScriptDialog', { accept: true }, sessionId)
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`)
    for (const event of this.events.filter((e) => e.method === method && e.sessionId === sessionId)) event.resolve(params)
    this.events = this.events.filter((e) => e.method !== method || e.sessionId !== sessionId)
    const waits = this.waiting.get(id)
    this.waiting.delete(id)
    if (error) waits?.reject(new Error(error.message))
    else waits?.resolve(result)
  }

  send(method, params = {}, sessionId) {
    const id = ++this.last
    this.socket.send(JSON.stringify({ id, method, params, sessionId }))
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))
  }

  // window opens an address in a context of its own: no window knows another.
  async window(url) {
    const { browserContextId } = await this.send('Target.createBrowserContext')
    const { targetId } = await this.send('Target.createTarget', { url, browserContextId, width: 1280, height: 800 })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Page(this, sessionId, browserContextId)
    for (const domain of ['Runtime', 'Log', 'Page', 'Inspector']) await page.send(`${domain}.enable`)
    await page.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false })
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    return page
  }

  async close() {
    const gone = new Promise((resolve) => this.child.on('exit', resolve))
    this.child.kill('SIGKILL')
    await gone
  }
}
