// A grid of rows: sorted by its heads, filtered by a text, copied as shown.
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

document.querySelector('input').addEventListener('input', (event) => {
  const wanted = event.target.value.toLowerCase()
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted)
})

const csv = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => {
    const [quote, between] = button.dataset.copy === 'csv' ? [csv, ','] : [(value) => value.replaceAll('\t', ' '), '\t']
    const lines = [table.tHead.rows[0], ...rows.filter((row) => !row.hidden)].map((row) => [...row.cells].map((cell) => quote(text(cell))).join(between))
    navigator.clipboard.writeText(lines.join('\n'))
  })
}
