import { visible } from './planText'

// The document of a grid of rows; media/grid.js sorts, filters and copies.

export interface Rows {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  truncated?: boolean
}

export interface GridOptions {
  title: string
  rows: Rows
  limit: number // rows shown at most
  script: string
  style: string
  source: string
  nonce: string
}

export function gridPage({ title, rows, limit, script, style, source, nonce }: GridOptions): string {
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
<link rel="stylesheet" href="${escape(style)}">
</head>
<body>
<header>
<code>${escape(visible(title))}</code>
<input type="search" placeholder="Filter" aria-label="Filter rows">
<span role="status">${shown.length} rows${more ? ', and there are more' : ''}</span>
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

function cell(value: unknown): string {
  if (value === null || value === undefined) return '<td class="null">NULL</td>'
  if (typeof value === 'number') return `<td class="number">${value}</td>`
  return `<td>${escape(visible(typeof value === 'string' ? value : JSON.stringify(value)))}</td>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}
