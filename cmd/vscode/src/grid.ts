import { visible } from './planText'

// The document of a grid of rows; media/grid.js sorts, filters and copies.

export interface Rows {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  truncated?: boolean
}

// Reading is what a tab of rows reads, so that it can be read again.
export type Reading = { root: string; connection: string } & ({ table: string } | { query: string })

export interface GridOptions {
  reading: Reading
  rows: Rows
  limit: number // rows shown at most
  script: string
  style: string
  source: string
  nonce: string
}

export function gridPage({ reading, rows, limit, script, style, source, nonce }: GridOptions): string {
  const shown = rows.rows.slice(0, limit)
  const more = rows.truncated === true || shown.length < rows.rows.length
  const policy = `default-src 'none'; script-src ${source}; style-src ${source} 'nonce-${nonce}'`
  const head = rows.columns.map((c, i) => `<th scope="col"><button type="button" data-sort="${i}" title="${escape(c.type)}">${escape(c.name)}</button></th>`).join('')
  const body = shown.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="reading" content="${escape(JSON.stringify(reading))}">
<link rel="stylesheet" href="${escape(style)}">
</head>
<body>
<header>
<code>${escape(visible(titleOf(reading)))}</code>
<input type="search" placeholder="Filter" aria-label="Filter rows">
<span role="status">${shown.length} ${shown.length === 1 ? 'row' : 'rows'}${more ? ', and there are more' : ''}</span>
<button type="button" data-copy="tsv">Copy</button>
<button type="button" data-copy="csv">Copy as CSV</button>
<button type="button" data-copy="json">Copy as JSON</button>
</header>
<div class="rows"><table><thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>
<pre tabindex="0" aria-label="Value" hidden></pre>
<script src="${escape(script)}"></script>
</body>
</html>`
}

// messagePage is shown where there are no rows yet, or none can be had.
export function messagePage(text: string, reading: Reading): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<p><code>${escape(visible(titleOf(reading)))}</code></p>
<p role="status">${escape(visible(text))}</p>
</html>`
}

function titleOf(reading: Reading): string {
  return 'table' in reading ? `First rows of ${reading.table}` : `${reading.connection}: ${reading.query}`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '<td class="null">NULL</td>'
  if (typeof value === 'number') return `<td class="number">${value}</td>`
  return `<td>${escape(visible(typeof value === 'string' ? value : JSON.stringify(value)))}</td>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}
