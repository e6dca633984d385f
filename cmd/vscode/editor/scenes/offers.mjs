import assert from 'node:assert/strict'

// offers looks at what the extension offers to the editor: a walkthrough, and a
// server of tools for its agent. The window has the editor's AI features, without
// which it lists no servers; nobody is signed in.
export async function offers(film) {
  const { world } = film
  const dock = await world.project('dock', 'CREATE TABLE crane (id INTEGER PRIMARY KEY);', { '.vscode/settings.json': '{"chat.disableAIFeatures": false}' })
  const page = await film.window(dock)
  await film.ready(dock)
  await film.step('a step of the walkthrough opens the designer, and is done', async () => {
    await page.command('Welcome: Open Walkthrough...')
    await page.type('Get started with Berth')
    await page.click('.quick-input-list .monaco-list-row', 'Get started with Berth')
    for (const title of ['See your databases', 'Open the designer', 'Ask your agent', 'Decide what is changed']) await page.see('.getting-started-step', title)
    await page.see('[data-done-step-id$="#designer"][aria-checked="false"]')
    await page.click('.getting-started-step', 'Open the designer')
    await film.picture(page, 'walkthrough')
    await page.click('.getting-started-step.expanded .monaco-button', 'Open Designer')
    await page.see('[data-testid="table-main.crane"]')
    await page.click('.tab', 'Welcome')
    await page.see('[data-done-step-id$="#designer"][aria-checked="true"]')
    await film.picture(page, 'step-done')
  })
  await film.step('the editor lists berth’s server once, and starts it', async () => {
    await page.command('MCP: List Servers')
    await page.see('.quick-input-list .monaco-list-row', 'Stopped')
    await film.picture(page, 'servers')
    assert.equal(await page.value(listed), 1)
    await page.click('.quick-input-list .monaco-list-row', 'Stopped')
    await page.click('.quick-input-list .monaco-list-row', 'Start Server')
    await page.command('MCP: List Servers')
    await page.see('.quick-input-list .monaco-list-row', 'Running')
    await film.picture(page, 'server-runs')
    await page.key('Escape', 'Escape', 0, 27)
  })
  await film.close(page)
}

// listed is how many servers of that name are listed; a row of the list has its
// name in a part of its own.
const listed = `[...document.querySelectorAll('.quick-input-list .monaco-list-row .label-name')].filter((e) => e.textContent === 'Berth').length`
