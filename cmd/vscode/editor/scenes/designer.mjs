import { until } from '../until.mjs'

// designer edits in a tab, restores it, follows a link and runs a query.
export async function designer(film) {
  const { agent, world, one } = film
  const { shop } = film.projects
  await film.step('the designer stands in a tab, in the editor’s colours, and edits', async () => {
    await one.command('Berth: Open Designer')
    await one.see('[data-testid="table-main.album"]')
    await film.picture(one, 'designer')
    await one.click('[data-testid="add-table"]')
    await one.see('[data-testid="table-name"]')
    await one.click('[data-testid="table-name"]')
    await one.type('track')
    await one.click('[data-testid="save"]')
    await one.see('[data-testid="table-main.track"]')
    await until('the agent sees the table', async () => JSON.stringify(await agent.call(shop, 'mssql_schema_designer', { operation: 'get_overview' })).includes('track'))
    await one.see('.monaco-list-row', 'main.track')
    await film.picture(one, 'designer-edited')
  })
  await film.step('a query of a SQL file shows its rows', async () => {
    await one.click('.activitybar .action-label[aria-label^="Explorer"]')
    await one.click('.explorer-folders-view .monaco-list-row', 'names.sql', { clicks: 2 })
    await one.see('.view-line', 'SELECT')
    await one.command('Berth: Run Selection as a Query')
    await world.heard('rows', (e) => e.count === 2)
    await until('a value that is clicked is shown whole', async () => {
      await one.click('td', 'Miles') // before its script has run, a page takes no click
      return one.find('pre', 'Miles')
    })
    await film.picture(one, 'rows')
  })
  await film.step('a SQL file is completed and explained by its database', async () => {
    await one.click('.tab', 'names.sql')
    await one.command('Trigger Suggest')
    await one.see('.suggest-widget .monaco-list-row', 'album')
    await film.picture(one, 'completion')
    await one.key('Escape', 'Escape', 0, 27)
    await one.command('Berth: Explain Selection')
    await one.see('td', 'SCAN artist')
    await film.picture(one, 'explained')
  })
  await film.step('a table is found by its name', async () => {
    await one.command('Berth: Go to Table')
    await one.see('.quick-input-list .monaco-list-row', 'artist')
    await one.type('artis')
    await one.see('.quick-input-list .monaco-list-row.focused', 'artist')
    await one.enter()
    await one.see('[data-testid="table-main.artist"]')
    await film.picture(one, 'found')
  })
  await film.step('a window that is reloaded joins again and has its designer back', async () => {
    const { pid } = film.listed(shop)
    await one.click('.tab', 'Designer: shop')
    await one.see('[data-testid="table-main.track"]')
    await one.keeps('EXPLAIN QUERY PLAN') // the tab of the rows, which the next step looks for
    await reload(film)
    if (film.listed(shop).pid !== pid) throw new Error('another instance serves the project')
    await film.picture(one, 'reloaded')
  })
  await film.step('rows are read again in a window that is reloaded', async () => {
    await one.click('.tab', 'Rows')
    await world.heard('rowsRestored', (e) => e.count > 0)
    await one.see('td')
    await film.picture(one, 'rows-again')
  })
  await film.step('a link opens a table in the designer', async () => {
    await one.click('.activitybar .action-label[aria-label^="Berth"]')
    await one.click('.monaco-list-row', 'artist', { button: 'right' })
    await one.click('.monaco-menu .action-label', 'Copy Link')
    const [{ link }] = await world.heard('link')
    const tab = await one.beside(link)
    await world.heard('linkOpened', (e) => e.here && e.address.includes('main.artist'))
    await tab.shut()
    await one.see('[data-testid="table-main.artist"]')
    await film.picture(one, 'linked')
  })
}

// reload reloads the first window and waits for its designer.
async function reload({ world, one }) {
  const before = (await world.events('designer')).length
  const windows = (await world.events('activated')).length
  await one.reload()
  await world.heard('activated', () => true, windows + 1)
  await one.click('.tab', 'Designer: shop') // the editor fills a tab when it is looked at
  await world.heard('designer', () => true, before + 1)
  await one.see('[data-testid="table-main.track"]')
}
