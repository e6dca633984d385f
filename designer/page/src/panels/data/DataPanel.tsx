import { useMemo, useState } from 'react'
import type { TableName } from '../../api/types'
import { titleOf } from '../../store/design'
import { useStore } from '../../store/state'
import { Icon } from '../../ui/Icon'
import { getChanges, type Changes } from '../lib/api'
import { Choice, Failed, Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { Browse } from './Browse'
import { droppedOf, sourceOf, type Source } from './query'
import type { Known } from './relations'
import { Sql } from './Sql'
import { back, begin, go, type Trail } from './trail'
import './data.css'

type Kind = 'table' | 'sql'

const kinds: { id: Kind; text: string }[] = [
  { id: 'table', text: 'Table' },
  { id: 'sql', text: 'SQL' },
]

// DataPanel shows the rows of a table as the database has them, and what a
// person has changed of them. A query of theirs only reads.
export default function DataPanel() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const selected = useStore((s) => (s.selected.size === 1 ? ([...s.selected][0] ?? '') : ''))
  const [chosen, setChosen] = useState({ from: '', trail: begin('') })
  const changes = useResource(`${connection}\n${version}`, (signal) => getChanges(connection, signal), 100)
  const known = useKnown(changes.data)
  const [kind, setKind] = useState<Kind>('table')
  const options = useOptions(known)
  // What is selected on the canvas is shown, until something else is chosen here.
  const own = chosen.trail.view.value !== '' && (chosen.from === selected || !selected)
  const trail = own ? chosen.trail : begin(selected ? `id:${selected}` : (options.tables[0]?.value ?? ''))
  const setTrail = (next: Trail): void => setChosen({ from: selected, trail: next })
  const { view } = trail
  const source = useSource(view.value, known)
  if (changes.error) return <Failed what="The tables" error={changes.error} again={changes.reload} />
  if (!known) return <Loading what="the tables" />
  const all = [...options.tables, ...options.views, ...options.dropped]
  if (all.length === 0) return <p className="empty">This database has no tables.</p>
  const before = trail.before.at(-1)
  return (
    <div className="pane data" data-testid="data">
      <div className="hstack">
        {before && kind === 'table' && (
          <button type="button" className="button small" data-testid="data-back" onClick={() => setTrail(back(trail))}>
            <Icon name="undo" /> Back to {all.find((o) => o.value === before.value)?.text ?? 'what was shown'}
          </button>
        )}
        <select aria-label="Table" value={view.value} disabled={kind === 'sql'} data-testid="data-table" onChange={(e) => setTrail(begin(e.target.value))}>
          <Group label="Tables" options={options.tables} />
          <Group label="Views" options={options.views} />
          <Group label="Dropped in the design" options={options.dropped} />
        </select>
        {(kind === 'sql' || view.value.startsWith('view:')) && <span className="quiet">Read only</span>}
        <Choice label="What is shown" choices={kinds} chosen={kind} onChoose={setKind} testId="data-kind" />
      </div>
      {kind === 'sql' ? (
        <Sql key={connection} connection={connection} known={known} />
      ) : source === 'proposed' ? (
        <Note tone="info" testId="data-proposed">
          This table is only proposed: the database does not have it before you publish, so there are no rows.
        </Note>
      ) : (
        source && (
          <Browse
            key={`${connection} ${JSON.stringify(source)} ${trail.before.length}`}
            connection={connection}
            source={source}
            known={known}
            view={view}
            onView={(next) => setTrail({ ...trail, view: next })}
            onJump={(jump) => setTrail(go(trail, { value: `id:${jump.to}`, filters: jump.filters, sort: null }))}
          />
        )
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

// useKnown is the design and how the database differs from it, of one version:
// a name that only the design has is not asked for.
function useKnown(changes: Changes | null): Known | null {
  const design = useStore((s) => s.confirmed)
  const [known, setKnown] = useState<Known | null>(null)
  const fits = design && changes?.version === design.version
  if (fits && (known?.design !== design || known.changes !== changes.changes)) setKnown({ design, changes: changes.changes })
  return known?.design.connection === design?.connection ? known : null
}

function useOptions(known: Known | null) {
  return useMemo(() => {
    if (!known) return { tables: [], views: [], dropped: [] }
    const { design, changes } = known
    const named = (prefix: string, list: readonly TableName[]): Option[] =>
      list.map((t) => ({ value: `${prefix}:${JSON.stringify([t.schema, t.name])}`, text: titleOf(design, t) }))
    const tables = [...design.tables.values()].map((t): Option => ({ value: `id:${t.id}`, text: titleOf(design, t) }))
    return { tables: tables.sort((a, b) => a.text.localeCompare(b.text)), views: named('view', design.views.map((v) => ({ schema: v.schema ?? design.defaultSchema, name: v.name }))), dropped: named('dropped', droppedOf(changes)) }
  }, [known])
}

function useSource(value: string, known: Known | null): Source | 'proposed' | null {
  return useMemo(() => {
    if (!known || value === '') return null
    if (value.startsWith('id:')) {
      const table = known.design.tables.get(value.slice(3))
      return table ? (sourceOf(table, known.changes) ?? 'proposed') : null
    }
    const [schema = '', name = ''] = JSON.parse(value.slice(value.indexOf(':') + 1)) as string[]
    return { table: { schema, name }, order: [] }
  }, [known, value])
}
