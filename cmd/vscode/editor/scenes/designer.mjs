import { until } from '../cdp.mjs'

// designer edits in a tab, runs a query and finds a table.
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
    await one.click('td', 'Miles')
    await one.see('pre', 'Miles')
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
}
