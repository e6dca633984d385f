// A window of the editor, or any page: what is seen on it, and what a person does
// with keys and mouse.
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from './until.mjs'

// What is run in a page: an element by selector and text, in all frames that
// can be reached, and where it is on the screen.
const finder = `(selector, text) => {
  const look = (doc, x, y) => {
    for (const e of doc.querySelectorAll(selector)) {
      const box = e.getBoundingClientRect()
      if (box.width > 0 && box.height > 0 && (!text || (e.textContent + ' ' + (e.getAttribute('aria-label') ?? '')).replaceAll('\\u00a0', ' ').includes(text)))
        return { x: x + box.x + box.width / 2, y: y + box.y + box.height / 2, text: e.textContent }
    }
    for (const frame of doc.querySelectorAll('iframe')) {
      let inner = null
      try { inner = frame.contentDocument } catch {}
      const box = frame.getBoundingClientRect()
      const found = inner && look(inner, x + box.x, y + box.y)
      if (found) return found
    }
    return null
  }
  return look(document, 0, 0)
}`

// What is run in a page: its words, and those of the frames that can be reached.
const words = `function words(doc) {
  const frames = [...doc.querySelectorAll('iframe')].map((frame) => {
    try { return frame.contentDocument ? words(frame.contentDocument) : '' } catch { return '' }
  })
  return [doc.body?.innerText ?? '', ...frames].join(' | ')
}`

// What is run in a page: whether one of the editor's databases holds a text.
const stored = `async (text) => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    try {
      for (const store of database.objectStoreNames) {
        const values = await done(database.transaction(store).objectStore(store).getAll())
        if (values.some((value) => typeof value === 'string' && value.includes(text))) return true
      }
    } finally {
      database.close()
    }
  }
  return false
}`

export class Page {
  constructor(browser, session, context) {
    this.browser = browser
    this.session = session
    this.context = context
  }

  send(method, params) {
    return this.browser.send(method, params, this.session)
  }

  // hears waits for an event of the page that is still to come.
  hears(method) {
    let event
    this.browser.events.push({ method, sessionId: this.session, resolve: (params) => (event = params ?? {}) })
    return until(`${method} is heard`, () => event)
  }

  // value is what an expression comes to on the page.
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  async find(selector, text = '') {
    return (await this.value(`(${finder})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`)) ?? null
  }

  see(selector, text = '') {
    return until(`${selector} ${text} is seen`, () => this.find(selector, text))
  }

  async gone(selector, text = '') {
    await until(`${selector} ${text} is gone`, async () => !(await this.find(selector, text)))
  }

  async click(selector, text = '', { clicks = 1, button = 'left' } = {}) {
    let { x, y } = await this.see(selector, text)
    await until(`${selector} ${text} stands still`, async () => {
      await pause(150)
      const now = await this.find(selector, text)
      const still = now !== null && now.x === x && now.y === y
      if (now) [x, y] = [now.x, now.y]
      return still
    })
    for (let clickCount = 1; clickCount <= clicks; clickCount++) {
      await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button, clickCount })
      await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x, y, button, clickCount })
    }
  }

  // press clicks until it shows: an editor that is still being laid out may take
  // a click for another place's, or for none's.
  async press(selector, text, shows) {
    await until(`a click on ${selector} ${text} does something`, async () => {
      if (await this.find(selector, text)) await this.click(selector, text)
      for (let i = 0; i < 30; i++) {
        if (await shows()) return true
        await pause(100)
      }
      return false
    })
  }

  // showPlan opens what waits from its row: a tree that is being read again takes
  // a click for none's.
  showPlan(row) {
    return this.press('.monaco-list-row', row, () => this.find('.editor-actions .action-label', 'Approve'))
  }

  // text is what can be read on the page, and in its frames after it.
  async text() {
    return String(await this.value(`(${words})(document)`)).replaceAll(/\s+/g, ' ')
  }

  async key(key, code, modifiers = 0, windowsVirtualKeyCode = 0) {
    for (const type of ['rawKeyDown', 'keyUp']) await this.send('Input.dispatchKeyEvent', { type, key, code, modifiers, windowsVirtualKeyCode })
  }

  async enter() {
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 })
  }

  // typesInto waits a moment for the focus to be in an element, and to stay.
  async typesInto(selector) {
    const expression = `!!document.activeElement?.closest(${JSON.stringify(selector)})`
    let times = 0
    for (let i = 0; i < 15 && times < 3; i++) {
      await pause(100)
      times = (await this.value(expression)) ? times + 1 : 0
    }
    return times === 3
  }

  // answer types into the input box with that title.
  async answer(title, text) {
    await this.see('.quick-input-widget', title)
    await until('the box has the focus', () => this.typesInto('.quick-input-widget'))
    await this.type(text)
    await this.enter()
  }

  reload() {
    return this.send('Page.reload')
  }

  // keeps waits until an editor in a browser has stored such a text in its own
  // database, which it does now and then and never when it is left: what a
  // window shows after a reload is what was stored before.
  async keeps(text) {
    const expression = `(${stored})(${JSON.stringify(text)})`
    await until(`the editor keeps ${text}`, () => this.value(expression).catch(() => false)) // as while one is being made
  }

  // beside opens an address in a tab of the same context.
  async beside(url) {
    const { targetId } = await this.browser.send('Target.createTarget', { url, browserContextId: this.context })
    return { shut: () => this.browser.send('Target.closeTarget', { targetId }) }
  }

  type(text) {
    return this.send('Input.insertText', { text })
  }

  // crash kills the page's process. The page may be reloaded, as by a person.
  async crash() {
    const gone = this.hears('Inspector.targetCrashed')
    this.send('Page.crash').catch(() => undefined) // what is to answer is dead
    await gone
  }

  // clipboard is what was copied last. Reading it takes a permission, which what
  // copies does not get with it.
  async clipboard() {
    await this.browser.send('Browser.grantPermissions', { browserContextId: this.context, permissions: ['clipboardReadWrite'] })
    try {
      return await this.value('navigator.clipboard.readText()')
    } finally {
      await this.browser.send('Browser.resetPermissions', { browserContextId: this.context })
    }
  }

  // drag takes what is at one place and drops it at another.
  async drag(from, to) {
    const mouse = (type, at, more = {}) => this.send('Input.dispatchMouseEvent', { type, x: at.x, y: at.y, button: 'left', ...more })
    await this.send('Input.setInterceptDrags', { enabled: true })
    try {
      const taken = this.hears('Input.dragIntercepted')
      await mouse('mousePressed', from, { clickCount: 1 })
      for (const pixels of [4, 8, 12]) await mouse('mouseMoved', { x: from.x + pixels, y: from.y }, { buttons: 1 })
      const { data } = await taken
      for (const type of ['dragEnter', 'dragOver', 'drop']) await this.send('Input.dispatchDragEvent', { type, x: to.x, y: to.y, data })
      await mouse('mouseReleased', to, { clickCount: 1 })
    } finally {
      await this.send('Input.setInterceptDrags', { enabled: false })
    }
  }

  // still waits until an element, if there is one, has come to rest.
  async still(selector, text = '') {
    let last
    await until(`${selector} ${text} stands still`, async () => {
      const now = JSON.stringify(await this.find(selector, text))
      const rests = now === last
      last = now
      if (!rests) await pause(300)
      return rests
    })
  }

  // command runs a command by its title, as a person does: a palette has what
  // there was when it opened, so that one that lacks it is opened again.
  async command(title) {
    const row = ['.quick-input-list .monaco-list-row', title]
    await until(`the palette has ${title}`, async () => {
      // A webview that has the focus may keep keys for itself.
      await this.value("document.activeElement?.tagName === 'IFRAME' && document.activeElement.blur()")
      await this.key('F1', 'F1', 0, 112)
      if (!(await this.typesInto('.quick-input-widget'))) return false
      await this.type(title)
      for (let i = 0; i < 150; i++) {
        if (await this.find(...row)) return true
        await pause(100)
      }
      await this.key('Escape', 'Escape', 0, 27)
      return false
    })
    await this.click(...row)
  }

  async picture(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
    await writeFile(file, Buffer.from(data, 'base64'))
  }

  close() {
    return this.browser.send('Target.disposeBrowserContext', { browserContextId: this.context })
  }
}
