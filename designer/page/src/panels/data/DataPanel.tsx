import { useMemo, useState } from 'react'
import { call } from '../../api/tools'
import type { TableName } from '../../api/types'
import { titleOf } from '../../store/design'
import { useStore } from '../../store/state'
import { getChanges, type DiffItem } from '../lib/api'
import { Failed, Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { Grid } from './Grid'
import { droppedOf, pageQuery, sourceOf, type Source } from './query'
import { parseRows, type Rows } from './rows'
import './data.css'

const pageSize = 50

// DataPanel shows the rows of a table as the database has them, page by page.
// It only reads.
export default function DataPanel() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const selected = useStore((s) => (s.selected.size === 1 ? ([...s.selected][0] ?? '') : ''))
  const [chosen, setChosen] = useState({ from: '', value: '' })
  const changes = useResource(`${connection}\n${version}`, (signal) => getChanges(connection, signal), 100)
  const items = changes.data?.changes
  const options = useOptions(items)
  // What is selected on the canvas is shown, until something else is chosen here.
  const value = chosen.value && (chosen.from === selected || !selected) ? chosen.value : selected ? `id:${selected}` : (options.tables[0]?.value ?? '')
  const source = useSource(value, items)
  if (changes.error) return <Failed what="The tables" error={changes.error} again={changes.reload} />
  if (!items) return <Loading what="the tables" />
  if (options.tables.length + options.views.length + options.dropped.length === 0) return <p className="empty">This database has no tables.</p>
  return (
    <div className="pane data" data-testid="data">
      <div className="hstack">
        <select aria-label="Table" value={value} data-testid="data-table" onChange={(e) => setChosen({ from: selected, value: e.target.value })}>
          <Group label="Tables" options={options.tables} />
          <Group label="Views" options={options.views} />
          <Group label="Dropped in the design" options={options.dropped} />
        </select>
        <span className="quiet">Rows of the database, read only.</span>
      </div>
      {source === 'proposed' ? (
        <Note tone="info" testId="data-proposed">
          This table is only proposed: the database does not have it before you publish, so there are no rows.
        </Note>
      ) : (
        source && <Pages key={`${connection} ${JSON.stringify(source)}`} connection={connection} source={source} />
      )}
    </div>
  )
}

interface Option {
  value: string
  text: string
}

function Group({ label, options }: { label: string; options: readonly Option[] }) {
  if (options.length === 0) return null
  return (
    <optgroup label={label}>
      {options.map((o) => (
        <option key={o.value} value={o.value}>
          {o.text}
        </option>
      ))}
    </optgroup>
  )
}

function useOptions(items: readonly DiffItem[] | undefined) {
  const design = useStore((s) => s.confirmed)
  return useMemo(() => {
    if (!design) return { tables: [], views: [], dropped: [] }
    const named = (prefix: string, list: readonly TableName[]): Option[] =>
      list.map((t) => ({ value: `${prefix}:${JSON.stringify([t.schema, t.name])}`, text: titleOf(design, t) }))
    const tables = [...design.tables.values()].map((t): Option => ({ value: `id:${t.id}`, text: titleOf(design, t) }))
    return { tables: tables.sort((a, b) => a.text.localeCompare(b.text)), views: named('view', design.views.map((v) => ({ schema: v.schema ?? design.defaultSchema, name: v.name }))), dropped: named('dropped', droppedOf(items ?? [])) }
  }, [design, items])
}

function useSource(value: string, items: readonly DiffItem[] | undefined): Source | 'proposed' | null {
  const design = useStore((s) => s.confirmed)
  return useMemo(() => {
    if (!design || !items || value === '') return null
    if (value.startsWith('id:')) {
      const table = design.tables.get(value.slice(3))
      return table ? (sourceOf(table, items) ?? 'proposed') : null
    }
    const [schema = '', name = ''] = JSON.parse(value.slice(value.indexOf(':') + 1)) as string[]
    return { table: { schema, name }, order: [] }
  }, [design, items, value])
}

// readPage asks as the agent's tools do, where a connection goes by its name.
async function readPage(connection: string, query: string, signal: AbortSignal): Promise<Rows> {
  const reply = await call('run-query', { query, connection }, { signal })
  if (reply.kind === 'question') throw new Error('reading rows asked an unexpected question')
  const text = reply.result.content[0] ?? ''
  if (reply.result.isError) throw new Error(text)
  return parseRows(text)
}

// Pages goes through the rows. A page may be shorter than asked for, where its
// values are long, so each remembers where it began.
function Pages({ connection, source }: { connection: string; source: Source }) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  const name = useStore((s) => s.confirmed?.name ?? connection)
  const [starts, setStarts] = useState<readonly number[]>([0])
  const from = starts.at(-1) ?? 0
  const query = pageQuery(source, dialect, pageSize + 1, from)
  const page = useResource(`${connection}\n${query}`, async (signal) => ({ ...(await readPage(name, query, signal)), offset: from }))
  if (page.error) return <Failed what="The rows" error={page.error} again={page.reload} />
  if (!page.data) return <Loading what="rows" />
  const { offset } = page.data // of the rows that are shown, while the next are on their way
  const rows = page.data.rows.slice(0, pageSize)
  const more = page.data.rows.length > pageSize || (page.data.truncated && rows.length > 0)
  return (
    <>
      <Grid columns={page.data.columns} rows={rows} first={offset + 1} busy={page.loading} />
      <div className="hstack spread">
        <span className="quiet" role="status" data-testid="data-range">
          {rows.length === 0 ? 'No rows' : `Rows ${(offset + 1).toLocaleString('en')} to ${(offset + rows.length).toLocaleString('en')}${more ? '' : ', the last'}`}
          {source.order.length === 0 && rows.length > 0 && ' (in no order: the table has no key)'}
        </span>
        <span className="hstack">
          <button type="button" className="button small" disabled={page.loading} onClick={page.reload}>
            Refresh
          </button>
          <button type="button" className="button small" disabled={starts.length === 1 || page.loading} data-testid="data-previous" onClick={() => setStarts(starts.slice(0, -1))}>
            Previous
          </button>
          <button type="button" className="button small" disabled={!more || page.loading} data-testid="data-next" onClick={() => setStarts([...starts, offset + rows.length])}>
            Next
          </button>
        </span>
      </div>
    </>
  )
}
