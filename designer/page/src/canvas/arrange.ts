import type { ElkNode } from 'elkjs/lib/elk-api'
import script from 'elkjs/lib/elk-worker.min.js?worker&url'
import { home } from '../api/home'
import type { Id, Position, Table } from '../api/types'
import type { Design } from '../store/design'
import { store } from '../store/state'
import { bounds, rectsOf, sizeOf, type Size } from './geometry'
import type { Positions } from './placement'
import { groupsOf } from './groups'
import { relationsOf } from './relations'

// Arranging by elk's layered algorithm, in a worker that is loaded when it is
// first asked for.

type Elk = { layout: (graph: ElkNode) => Promise<ElkNode> }

let loading: Promise<Elk> | undefined

async function load(): Promise<Elk> {
  const { default: ELK } = await import('elkjs/lib/elk-api')
  const worker = await home.worker(script)
  const elk = new ELK({ workerFactory: () => worker, algorithms: ['layered', 'rectpacking'] })
  // One whose script cannot be had, since the instance is gone, never answers.
  const broken = new Promise<never>((_, reject) => {
    worker.onerror = () => reject(new Error('the arranging worker cannot be loaded'))
  })
  broken.catch(() => undefined) // nobody may be waiting
  return { layout: (graph) => Promise.race([elk.layout(graph), broken]) }
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

// Of more tables than this no layer gets more than makes a pleasant shape:
// where all refer to a few, most would stand in one endless layer.
const few = 30

// More tables than this are arranged group by group, and with less effort
// for each: all in one would take long and relate everything to everything.
const many = 120
const most = 40 // in a group

const quick = { 'elk.layered.thoroughness': '1', 'elk.layered.nodePlacement.strategy': 'SIMPLE', 'elk.layered.crossingMinimization.greedySwitch.type': 'OFF' }
const packed = { 'elk.algorithm': 'rectpacking', 'elk.aspectRatio': '1.6', 'elk.spacing.nodeNode': '160' }
const shelved = { ...packed, 'elk.spacing.nodeNode': '40' }

function bounded(boxes: readonly Box[]): Record<string, string> {
  return {
    'elk.layered.layering.strategy': 'COFFMAN_GRAHAM',
    'elk.layered.layering.coffmanGraham.layerBound': String(Math.ceil(Math.sqrt(boxes.length / 1.6))),
  }
}

// roomy is for a view whose tables may grow while it is looked at, when an agent
// adds a column: what is not related is as far apart as what is.
export const roomy = { 'elk.spacing.componentComponent': '110' }

// arrange returns new positions for these tables alone. They stay where they
// were as a whole: the upper left corner of their bounds does not move.
export async function arrange(design: Design, tables: readonly Table[], positions: Positions, more: Record<string, string> = {}): Promise<Record<Id, Position>> {
  const corner = bounds(rectsOf(tables, positions)) ?? { x: 0, y: 0 }
  return whileBusy(() => placed(tables.map((t) => boxOf(t, positions[t.id])), pairsOf(design, tables), corner, more))
}

// whileBusy has the canvas say that it is being arranged.
export function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  store.set((s) => ({ arranging: s.arranging + 1 }))
  return work().finally(() => store.set((s) => ({ arranging: s.arranging - 1 })))
}

// Box is what is given a place: a table, or an area with what lies in it.
export interface Box extends Size {
  id: Id
}

export type Pairs = readonly (readonly [Id, Id])[]

export function boxOf(table: Table, at?: Position): Box {
  return { id: table.id, ...sizeOf(table, at) }
}

// placed returns where boxes come to lie from a corner on.
export async function placed(boxes: readonly Box[], pairs: Pairs, corner: Position, more: Record<string, string>): Promise<Record<Id, Position>> {
  const at: Record<Id, Position> = {}
  if (boxes.length > 0) take(at, await layOut(graphFor(boxes, pairs, more)), corner)
  return at
}

async function layOut(graph: ElkNode): Promise<ElkNode> {
  loading ??= load()
  try {
    return await (await loading).layout(graph)
  } catch (cause) {
    loading = undefined // the next time may go better
    throw cause
  }
}

// take notes where the tables are that stand in a node at a place.
function take(at: Record<Id, Position>, node: ElkNode, { x, y }: Position): void {
  for (const child of node.children ?? []) {
    const place = { x: x + (child.x ?? 0), y: y + (child.y ?? 0) }
    if (child.children) take(at, child, place)
    else at[child.id] = { x: Math.round(place.x), y: Math.round(place.y) }
  }
}

// graphOf draws edges from the referenced table to the one that refers, so
// that what others build on stands at the left.
export function graphOf(design: Design, tables: readonly Table[], more: Record<string, string> = {}): ElkNode {
  return graphFor(tables.map((t) => boxOf(t)), pairsOf(design, tables), more)
}

export function graphFor(boxes: readonly Box[], pairs: Pairs, more: Record<string, string>): ElkNode {
  if (boxes.length <= many) return graph('root', boxes, pairs, boxes.length > few ? { ...options, ...bounded(boxes), ...more } : { ...options, ...more })
  const byId = new Map(boxes.map((b) => [b.id, b]))
  const { together, alone } = groupsOf([...byId.keys()], pairs, most)
  const children = together.map((ids, i) => {
    const members = new Set(ids)
    const inside = pairs.filter(([a, b]) => members.has(a) && members.has(b))
    const grouped = ids.flatMap((id) => byId.get(id) ?? [])
    return graph(`group ${i}`, grouped, inside, { ...options, ...quick, ...bounded(grouped) })
  })
  const rest = alone.flatMap((id) => byId.get(id) ?? [])
  if (rest.length > 0) children.push(graph('alone', rest, [], shelved))
  return { id: 'root', layoutOptions: packed, children }
}

function graph(id: string, boxes: readonly Box[], pairs: Pairs, layoutOptions: Record<string, string>): ElkNode {
  return {
    id,
    layoutOptions,
    children: boxes.map((b) => ({ ...b })),
    edges: pairs.map(([from, to]) => ({ id: `${from} ${to}`, sources: [from], targets: [to] })),
  }
}

// pairsOf lists which table is referred to by which, each pair once.
export function pairsOf(design: Design, tables: readonly Table[]): [Id, Id][] {
  const ids = new Set(tables.map((t) => t.id))
  const pairs = new Map<string, [Id, Id]>()
  for (const table of tables) {
    for (const { refTable } of relationsOf(table)) {
      if (refTable !== table.id && ids.has(refTable) && design.tables.has(refTable)) pairs.set(`${refTable} ${table.id}`, [refTable, table.id])
    }
  }
  return [...pairs.values()]
}
