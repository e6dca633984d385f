import assert from 'node:assert/strict'

// trust opens a folder in an editor that knows workspace trust: nothing starts
// before it is given, and it answers none of berth's own asks.
export async function trust(film) {
  const { world } = film
  await film.step('nothing is served before the workspace is trusted, and then at once', async () => {
    for (const page of [...film.open]) await film.close(page)
    await world.stopEditor()
    await world.configure({ 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' })
    await world.startEditor()
    const pier = await world.project('pier', 'CREATE TABLE p (id INTEGER);', { '.berth/config.yaml': 'files: {mode: fast}\n' })
    const page = await film.window(pier)
    await world.heard('activated', (e) => !e.trusted)
    assert.equal(film.listed(pier), undefined)
    await page.press('.activitybar .action-label[aria-label^="Berth"]', '', () => page.find('.welcome-view-content', 'serves this folder once you trust it'))
    await film.picture(page, 'untrusted')
    await page.command('Workspaces: Manage Workspace Trust')
    await page.see('.workspace-trust-editor .monaco-button', 'Trust')
    await page.press('.workspace-trust-editor .monaco-button', 'Trust', () => film.listed(pier))
    await film.ready(pier)
    await world.heard('asks', (e) => e.root === pier)
    await page.see('.notification-toast', 'pier:')
    await film.picture(page, 'trusted-and-asked')
  })
}
