import { ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import type { Id, Table } from '../api/types'
import { fullName, type Design } from '../store/design'
import { flaggedNow, unindexedIn } from '../store/lint'
import { useStore } from '../store/state'
import { Edge } from './Edge'
import { bounds, overlaps, runsBy, type Ground, type Rect } from './geometry'
import type { Positions } from './placement'
import type { Region } from './region'
import { relationsOf, type Relation } from './relations'
import { route, straight, type Line } from './route'
import { placesOf } from './spread'

interface EdgeLayerProps {
  shown: readonly Table[]
  ground: readonly Ground[] // of the tables shown
  region: Region
  painted: boolean // the far layer paints the web
}

// EdgeLayer draws the relations below the tables: line by line where tables
// are seen in full; from afar as one thin web, with a line for the one that is
// selected.
export const EdgeLayer = memo(function EdgeLayer({ shown, ground, region, painted }: EdgeLayerProps) {
  const design = useStore((s) => s.design)
  const positions = useStore(placesOf)
  const selectedKey = useStore((s) => s.selectedKey?.key)
  const full = region.detail === 'full'
  const relations = useMemo(() => between(shown), [shown])
  const lines = useMemo(() => (full ? relations : relations.filter((r) => r.key === selectedKey)), [full, relations, selectedKey])
  if (!design) return null
  const list = lines.length > 0 ? { role: 'listbox', 'aria-label': 'Relations' } : {}
  return (
    <ViewportPortal>
      <svg className="edges" {...list}>
        {!full && !painted && <path className={`web ${region.detail}`} d={web(relations, design, positions)} />}
        <Lines relations={lines} ground={ground} design={design} positions={positions} region={region} />
      </svg>
    </ViewportPortal>
  )
})

// between lists the relations whose both tables are shown.
export function between(shown: readonly Table[]): Relation[] {
  const ids = new Set(shown.map((t) => t.id))
  return shown.flatMap((t) => relationsOf(t).filter((r) => ids.has(r.refTable)))
}

export function web(relations: readonly Relation[], design: Design, positions: Positions): string {
  const drawn = new Set<string>()
  let path = ''
  for (const r of relations) {
    const ends = endsOf(r, design, positions)
    const pair = `${r.table} ${r.refTable}`
    if (!ends || r.table === r.refTable || drawn.has(pair)) continue
    drawn.add(pair)
    path += straight(ends.table, ends.at, ends.refTable, ends.refAt)
  }
  return path
}

interface LinesProps {
  relations: readonly Relation[]
  ground: readonly Ground[]
  design: Design
  positions: Positions
  region: Region
}

function Lines({ relations, ground, design, positions, region }: LinesProps) {
  const selected = useStore((s) => s.selected)
  const selectedKey = useStore((s) => s.selectedKey?.key)
  const flagged = useStore(flaggedNow)
  const lineOf = useMemo(() => router(ground), [ground])
  const within = useMemo(() => spans(relations, ground), [relations, ground])
  const drawn = within.flatMap(({ r, span }) => {
    const ends = r.key === selectedKey || overlaps(span, region, aside) ? endsOf(r, design, positions) : null
    if (!ends) return []
    const line = lineOf(r, ends)
    return r.key === selectedKey || runsBy(line.points, region, markWidth) ? [{ r, ends, line }] : []
  })
  // Tab leads to one of them, from which arrows lead on.
  const stop = (drawn.find(({ r }) => r.key === selectedKey) ?? drawn.find(({ r }) => selected.has(r.table) || selected.has(r.refTable)) ?? drawn[0])?.r.key
  const before = new Set<Id>()
  return drawn.map(({ r, ends, line }) => {
    const first = !before.has(r.key)
    before.add(r.key)
    const chosen = r.key === selectedKey
    const lit = chosen || selected.has(r.table) || selected.has(r.refTable)
    const said = unindexedIn(flagged, ends.table, r.key)?.message
    const label = `${fullName(ends.table)} refers to ${fullName(ends.refTable)}${r.name ? `, ${r.name}` : ''}${said ? `. ${said}` : ''}`
    return <Edge key={r.id} table={r.table} foreignKey={r.key} label={label} lit={lit} chosen={chosen} warned={said !== undefined} first={first} stop={first && r.key === stop} {...flat(line)} />
  })
}

type Ends = NonNullable<ReturnType<typeof endsOf>>

// router works out each line once, for as long as all tables stay where they are.
function router(ground: readonly Ground[]): (r: Relation, ends: Ends) => Line {
  const known = new Map<string, Line>()
  return (r, { table, at, refTable, refAt }) => {
    const line = known.get(r.id) ?? route(r, table, at, refTable, refAt, ground)
    known.set(r.id, line)
    return line
  }
}

function endsOf(r: Relation, design: Design, positions: Positions) {
  const table = design.tables.get(r.table)
  const refTable = design.tables.get(r.refTable)
  const at = positions[r.table]
  const refAt = positions[r.refTable]
  return table && refTable && at && refAt ? { table, at, refTable, refAt } : null
}

const markWidth = 8 // of what stands on a line, to either side
const aside = 600 // of its tables: how far a line bends and goes round others, at most

// spans are the relations with what their two tables span, which tells those
// that may be in view without working out their lines.
function spans(relations: readonly Relation[], ground: readonly Ground[]): { r: Relation; span: Rect }[] {
  const under = new Map(ground.map((rect) => [rect.id, rect]))
  return relations.flatMap((r) => {
    const [from, to] = [under.get(r.table), under.get(r.refTable)]
    const span = from && to && bounds([from, to])
    return span ? [{ r, span }] : []
  })
}

// flat makes of a line what memo can compare.
function flat(line: Line): { path: string; marks: string; circles: string } {
  return { path: line.path, marks: line.marks, circles: line.circles.map((c) => `M${c.x - 4} ${c.y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`).join('') }
}
