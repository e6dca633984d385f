// A grid of rows: sorted by its heads, filtered by a text, copied as shown.
// The editor keeps what was read, to show it again in a reloaded window.
acquireVsCodeApi().setState(JSON.parse(document.querySelector('meta[name="reading"]').content))

const table = document.querySelector('table')
const body = table.tBodies[0]
const rows = [...body.rows]
const text = (cell) => (cell.classList.contains('null') ? '' : cell.textContent)

for (const head of document.querySelectorAll('[data-sort]')) {
  head.addEventListener('click', () => {
    const column = Number(head.dataset.sort)
    const down = head.getAttribute('aria-sort') === 'ascending'
    for (const other of document.querySelectorAll('[aria-sort]')) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending')
    const compare = new Intl.Collator(undefined, { numeric: true }).compare
    rows.sort((a, b) => (down ? -1 : 1) * compare(text(a.cells[column]), text(b.cells[column])))
    body.append(...rows)
  })
}

const count = document.querySelector('[role=status]')
const all = count.textContent
document.querySelector('input').addEventListener('input', (event) => {
  const wanted = event.target.value.toLowerCase()
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted)
  count.textContent = wanted === '' ? all : `${shown().length} of ${all}`
})

const csv = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const shown = () => rows.filter((row) => !row.hidden)
const lines = (quote, between) => [table.tHead.rows[0], ...shown()].map((row) => [...row.cells].map((cell) => quote(text(cell))).join(between)).join('\n')
const valueOf = (cell) => (cell.classList.contains('null') ? null : cell.classList.contains('number') ? Number(cell.textContent) : cell.textContent)
const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent)

const copies = {
  tsv: () => lines((value) => value.replaceAll('\t', ' '), '\t'),
  csv: () => lines(csv, ','),
  json: () => JSON.stringify(shown().map((row) => Object.fromEntries(heads.map((head, i) => [head, valueOf(row.cells[i])]))), null, 2),
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => navigator.clipboard.writeText(copies[button.dataset.copy]()))
}

// A value that is clicked is shown whole, JSON in lines.
const whole = document.querySelector('pre')
body.addEventListener('click', (event) => {
  const cell = event.target.closest('td')
  if (!cell) return
  whole.hidden = false
  try {
    whole.textContent = JSON.stringify(JSON.parse(cell.textContent), null, 2)
  } catch {
    whole.textContent = cell.textContent
  }
})
