import type { Node, NodeChange } from '@xyflow/react'
import { useMemo, useState } from 'react'
import type { Id, Position, Table } from '../api/types'
import { select } from '../store/actions'
import { store, useStore } from '../store/state'
import { shallow, useSelector } from '../store/store'
import { dense, under } from './far'
import { overlaps, rectsOf, type Ground } from './geometry'
import { filtered } from './filter'
import type { Region } from './region'
import { moveTables } from './moving'
import { placesOf } from './spread'

// Which tables the canvas shows, as nodes. Only those in the region become
// any, and those that are selected, which may be dragged from out of view.
// Where there are too many (see far.ts) only the few that are worked with.

export type TableFlowNode = Node<Record<string, never>, 'table'>

export function useShown(): Table[] {
  const design = useStore((s) => s.design)
  const filter = useStore((s) => s.filter)
  return useMemo(() => (design ? filtered(design, filter) : []), [design, filter])
}

// useGround is where the shown tables stand.
export function useGround(shown: readonly Table[]): readonly Ground[] {
  const positions = useStore(placesOf)
  return useMemo(() => rectsOf(shown, positions), [shown, positions])
}

const noData = {}

export interface Drawn {
  nodes: TableFlowNode[]
  painted: boolean // the rest is painted by the FarLayer
}

export function useNodes(ground: readonly Ground[], region: Region): Drawn {
  const selected = useStore((s) => s.selected)
  const pointed = useSelector(under, (s) => s.id)
  const [known] = useState(() => new Known())
  const seen = ground.filter((rect) => selected.has(rect.id) || overlaps(rect, region))
  const painted = region.detail === 'far' || (region.detail === 'name' && seen.length > dense)
  const first = seen[0]?.id // for the keyboard to begin with
  const drawn = painted ? seen.filter(({ id }) => selected.has(id) || id === pointed || id === first) : seen
  const nodes = drawn.map((rect) => nodeFor(known, rect, selected.has(rect.id), !painted || selected.has(rect.id)))
  return { nodes: known.list(nodes), painted }
}

// Known are the nodes that React Flow has. It scans them again for each new
// list.
class Known extends Map<Id, TableFlowNode> {
  private last: TableFlowNode[] = []

  list(nodes: TableFlowNode[]): TableFlowNode[] {
    if (!shallow(this.last, nodes)) this.last = nodes
    return this.last
  }
}

// nodeFor gives the same object while nothing about a node has changed. From
// afar only what is selected can be dragged: a press there means to move the
// view, and must not move the table that happens to be below.
function nodeFor(known: Known, { id, x, y, width, height }: Ground, selected: boolean, draggable: boolean): TableFlowNode {
  const old = known.get(id)
  if (old?.position.x === x && old.position.y === y && old.width === width && old.height === height && old.selected === selected && old.draggable === draggable) return old
  const node: TableFlowNode = { id, type: 'table', position: { x, y }, width, height, measured: { width, height }, selected, draggable, data: noData }
  known.set(id, node)
  return node
}

// takeChanges carries out what a gesture on the canvas asks for.
export function takeChanges(changes: readonly NodeChange<TableFlowNode>[]): void {
  const moved: Record<Id, Position> = {}
  const chosen = new Set(store.get().selected)
  let [choice, ongoing] = [false, false]
  for (const change of changes) {
    if (change.type === 'position' && change.position) {
      moved[change.id] = change.position
      ongoing ||= change.dragging === true
    }
    if (change.type !== 'select') continue
    choice = true
    if (change.selected) chosen.add(change.id)
    else chosen.delete(change.id)
  }
  if (Object.keys(moved).length > 0) moveTables(moved, ongoing)
  if (choice) select([...chosen])
}
