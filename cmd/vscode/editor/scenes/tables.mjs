import assert from 'node:assert/strict'

// tables looks at the rows of a table and of a query, and drops a table into SQL,
// in the second window.
export async function tables(film) {
  const { world, two } = film
  const rows = async (count, run) => {
    const before = (await world.events('rows')).length
    await run()
    assert.equal((await world.heard('rows', () => true, before + 1)).at(-1).count, count)
  }
  await film.step('the first rows of a table are sorted, filtered and copied', async () => {
    await two.click('.explorer-folders-view .monaco-list-row', 'boats.sql', { clicks: 2 })
    await two.see('.view-line', 'SELECT')
    await two.click('.activitybar .action-label[aria-label^="Berth"]')
    await two.click('.monaco-list-row', 'boat', { button: 'right' })
    await two.click('.monaco-menu .action-label', 'Show First Rows')
    await two.see('tbody tr:first-child td', 'Nina')
    // Before its script has run, a page takes no click.
    await two.press('th button', 'name', () => two.find('th button[aria-sort="ascending"]'))
    await two.see('tbody tr:first-child td', 'Ella')
    await two.press('th button', 'name', () => two.find('th button[aria-sort="descending"]'))
    await two.see('tbody tr:first-child td', 'Nina')
    await two.click('input[aria-label="Filter rows"]')
    await two.type('il')
    await two.gone('td', 'Nina')
    await two.see('[role=status]', '1 of 3 rows')
    await film.picture(two, 'first-rows')
    await two.press('[data-copy="tsv"]', '', async () => (await two.clipboard()) === 'id\tname\n2\tMiles')
  })
  await film.step('a query’s rows are copied as CSV', async () => {
    await two.click('.tab', 'boats.sql')
    await rows(3, () => two.command('Berth: Run Selection as a Query'))
    await two.see('header code', 'SELECT')
    await two.press('[data-copy="csv"]', '', async () => (await two.clipboard()) === 'id,name\n1,Nina\n2,Miles\n3,"Ella, ""Fitz"""')
    await film.picture(two, 'copied')
  })
  await film.step('a table that is dropped from the tree stands in the SQL', async () => {
    await two.click('.tab', 'boats.sql')
    await two.click('.activitybar .action-label[aria-label^="Explorer"]')
    await two.click('.explorer-folders-view .monaco-list-row', 'dropped.sql', { clicks: 2 })
    await two.see('.view-line', 'AS boats FROM')
    await two.click('.activitybar .action-label[aria-label^="Berth"]')
    await two.still('.monaco-list-row .monaco-icon-label', 'boat')
    const line = await two.see('.view-line > span', 'AS boats FROM')
    await two.drag(await two.see('.monaco-list-row .monaco-icon-label', 'boat'), { x: line.x + 140, y: line.y }) // behind the text
    await two.see('.view-line', 'AS boats FROM boat')
    await film.picture(two, 'dropped')
    await two.click('.view-line', 'AS boats FROM boat') // what was dropped is selected
    await rows(1, () => two.command('Berth: Run Selection as a Query'))
    await two.see('td.number', '3')
  })
}
