import type { ElkNode } from 'elkjs/lib/elk-api'
import type { Id, Position, Table } from '../api/types'
import type { Design } from '../store/design'
import { bounds, rectsOf, sizeOf } from './geometry'
import type { Positions } from './placement'
import { relationsOf } from './relations'

// Arranging by elk's layered algorithm, in a worker that is loaded when it is
// first asked for.

type Elk = { layout: (graph: ElkNode) => Promise<ElkNode> }

let loading: Promise<Elk> | undefined

async function load(): Promise<Elk> {
  const { default: ELK } = await import('elkjs/lib/elk-api')
  return new ELK({ workerFactory: () => new Worker(new URL('elkjs/lib/elk-worker.min.js', import.meta.url)), algorithms: ['layered'] })
}

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.aspectRatio': '1.6',
  'elk.spacing.nodeNode': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '110',
  'elk.spacing.componentComponent': '70',
  'elk.edgeRouting': 'POLYLINE',
}

// Beyond this many tables fewer crossings cost more time than they are worth.
const many = 250
const quick = { 'elk.layered.thoroughness': '1', 'elk.layered.nodePlacement.strategy': 'SIMPLE', 'elk.layered.crossingMinimization.greedySwitch.type': 'OFF' }

// arrange returns new positions for these tables alone. They stay where they
// were as a whole: the upper left corner of their bounds does not move.
export async function arrange(design: Design, tables: readonly Table[], positions: Positions): Promise<Record<Id, Position>> {
  if (tables.length === 0) return {}
  loading ??= load()
  const laid = await (await loading).layout(graphOf(design, tables))
  const corner = bounds(rectsOf(tables, positions)) ?? { x: 0, y: 0 }
  const at: Record<Id, Position> = {}
  for (const node of laid.children ?? []) at[node.id] = { x: Math.round(corner.x + (node.x ?? 0)), y: Math.round(corner.y + (node.y ?? 0)) }
  return at
}

// graphOf draws edges from the referenced table to the one that refers, so
// that what others build on stands at the left.
export function graphOf(design: Design, tables: readonly Table[]): ElkNode {
  const ids = new Set(tables.map((t) => t.id))
  const pairs = new Set<string>()
  const edges: NonNullable<ElkNode['edges']> = []
  for (const table of tables) {
    for (const r of relationsOf(table)) {
      const pair = `${r.refTable} ${r.table}`
      if (r.refTable === r.table || !ids.has(r.refTable) || !design.tables.has(r.refTable) || pairs.has(pair)) continue
      pairs.add(pair)
      edges.push({ id: `e${edges.length}`, sources: [r.refTable], targets: [r.table] })
    }
  }
  return {
    id: 'root',
    layoutOptions: tables.length > many ? { ...options, ...quick } : options,
    children: tables.map((t) => ({ id: t.id, ...sizeOf(t) })),
    edges,
  }
}
