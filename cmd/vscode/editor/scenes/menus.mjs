import assert from 'node:assert/strict'

const [alt, shift] = [1, 8]
const table = (name) => `[data-testid="table-main.${name}"]`
const title = (name) => `${table(name)} .head .name`

// menus opens the context menus of the designer in its tab, by the mouse and by
// keys: the page answers, and the editor does not as well.
export async function menus(film) {
  const { one } = film
  // menu waits for the page's menu with a choice, and the editor shows none.
  const menu = async (choice) => {
    await one.see(`[data-testid="menu-${choice}"]`)
    assert.equal(await one.find('.monaco-menu'), null)
  }
  const escape = async () => {
    await one.key('Escape', 'Escape', 0, 27)
    await one.gone('[data-testid="menu"]')
  }
  await film.step('a right click in the designer opens the page’s menu, and the editor’s not', async () => {
    await one.command('Berth: Open Designer')
    await one.see(table('album'))
    await one.click('[data-testid="fit"]')
    await one.click(title('album'), '', { button: 'right' })
    await menu('edit-table')
    await film.picture(one, 'menu-table')
    await escape()
    await one.click('[data-testid="column-main.album.title"] .type', '', { button: 'right' })
    await menu('edit-column')
    await escape()
    await one.click('.react-flow__pane', '', { button: 'right' })
    await menu('select-all')
    await film.picture(one, 'menu-canvas')
    await escape()
  })
  await film.step('its menus open and close by keys', async () => {
    await one.click(title('album'))
    await one.see(`${table('album')}.selected`)
    await one.key('F10', 'F10', shift, 121)
    await menu('edit-table')
    await escape()
    await one.key('r', 'KeyR', alt, 82)
    await one.see('.edge.chosen')
    assert.equal(await one.find('.monaco-menu'), null, 'Alt+R is Run in the editor’s menu bar')
    await one.key('F10', 'F10', shift, 121)
    await menu('go-to-parent')
    await film.picture(one, 'menu-relation')
    await escape()
  })
}
