import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../until.mjs'

// chat has an agent in the editor's own chat edit a design, and takes the edit
// back on the card that the chat shows. The agent is a script: nobody is signed
// in, and there is no model.
export async function chat(film) {
  const { agent, world } = film
  const yard = await world.project('yard', 'CREATE TABLE crane (id INTEGER PRIMARY KEY, name TEXT);', { '.vscode/settings.json': '{"chat.disableAIFeatures": false}' })
  const page = await film.window(yard)
  await film.ready(yard)
  const overview = async () => JSON.stringify(await agent.call(yard, 'mssql_schema_designer', { operation: 'get_overview' }))
  await film.step('an edit in the editor’s chat is shown as a card, before it is asked again', async () => {
    await page.command('MCP: List Servers')
    await page.click('.quick-input-list .monaco-list-row', 'Stopped')
    await page.click('.quick-input-list .monaco-list-row', 'Start Server')
    await page.see('.view-line', 'Discovered')
    await page.command('Chat: Open Chat')
    await page.see('.interactive-session', 'None') // the script's model
    await page.click('.interactive-session .chat-editor-container .monaco-editor')
    const edits = [{ op: 'set_column', table: { name: 'crane' }, column: { name: 'name' }, set: { dataType: 'VARCHAR(40)' } }, { op: 'add_column', table: { name: 'crane' }, column: { name: 'reach', dataType: 'INTEGER' } }]
    await page.type(`@scripted ${JSON.stringify({ projectRoot: yard, edits })}`)
    await page.see('.interactive-session .chat-editor-container', '@scripted')
    await page.enter()
    // The chat is laid out again while the agent's call comes in, and may take a
    // click on what it has just moved for none's.
    await page.press('.interactive-session .monaco-button', 'Allow', () => page.find('#card', 'TEXT→VARCHAR(40)'))
    await page.see('#card', 'reach')
    assert.match(await overview(), /reach/)
  })
  await film.step('the card has all of the chat’s width, and its words can be read', async () => {
    const { width, inner, faint } = await page.value(`(${looks})()`)
    assert.ok(width >= 200 && width < 320, `${width} pixels`)
    assert.equal(inner, width)
    assert.deepEqual(faint, [])
    await film.picture(page, 'card')
  })
  await film.step('in a wide chat the card draws the tables that were edited, in the editor’s own colours', async () => {
    await page.command('View: Maximize Secondary Side Bar')
    await page.see('#card figure .box', 'crane')
    const wide = await page.value(`(${looks})()`)
    assert.ok(wide.width >= 600, `${wide.width} pixels`)
    assert.deepEqual(wide.faint, [])
    await film.picture(page, 'card-wide')
    await writeFile(join(yard, '.vscode', 'settings.json'), JSON.stringify({ 'chat.disableAIFeatures': false, 'workbench.colorTheme': 'Default Dark Modern' }))
    await page.see('body.vs-dark, .monaco-workbench.vs-dark')
    await until('the card is dark too', async () => (await page.value(`(${looks})()`)).ground < 0.2)
    assert.deepEqual((await page.value(`(${looks})()`)).faint, [])
    await film.picture(page, 'card-dark')
  })
  await film.step('what the agent edited is taken back on the card', async () => {
    await page.click('#card button', 'Take back')
    await page.see('#card [role=status]', 'Taken back')
    assert.doesNotMatch(await overview(), /reach|VARCHAR/)
    await film.picture(page, 'card-taken-back')
  })
  await film.close(page)
}

// What is run in a page: how wide the frame of the last card is and what is in
// it, and the words whose colour is too near to what they stand on.
const looks = `() => {
  const inside = (doc) => [...doc.querySelectorAll('iframe')].flatMap((f) => { try { return f.contentDocument ? [f.contentDocument, ...inside(f.contentDocument)] : [] } catch { return [] } })
  const doc = inside(document).findLast((d) => d.querySelector('#card button'))
  const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number)
  const light = (colour) => { const [r, g, b] = rgb(colour).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const style = (e) => doc.defaultView.getComputedStyle(e)
  const ground = (e) => { const { backgroundColor } = style(e); return (rgb(backgroundColor)[3] ?? 1) > 0 ? backgroundColor : ground(e.parentElement) }
  const faint = [...doc.querySelectorAll('#card *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).flatMap((e) => {
    const [a, b] = [light(style(e).color), light(ground(e))].sort((x, y) => y - x)
    const contrast = (a + 0.05) / (b + 0.05)
    return contrast < 4.5 ? [e.textContent + ' ' + contrast.toFixed(1)] : []
  })
  return { width: doc.documentElement.clientWidth, inner: doc.getElementById('card').getBoundingClientRect().width, faint, ground: light(ground(doc.getElementById('card'))) }
}`
