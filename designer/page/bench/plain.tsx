import { Handle, Position, ReactFlow, useEdgesState, useNodesState, type Edge, type Node, type NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { memo } from 'react'
import { createRoot } from 'react-dom/client'
import type { Id, Position as Place, Table } from '../src/api/types'
import { sizeOf } from '../src/canvas/geometry'
import { columnById, typeOf } from '../src/store/design'
import './plain.css'

// The page that berth's is measured beside: React Flow as its own examples
// have it, with memoised nodes of the same tables in the same places and of
// the same sizes. Its address tells the stage, the view that it begins with
// and whether React Flow renders only what is in view. In its favour it knows
// sizes and places beforehand, has handles only where edges end, and nothing
// beside tables and edges: no background, no map, no search, no events.

type TableNode = Node<{ table: Table; ends: ReadonlySet<Id> }, 'table'>

const nodeTypes = {
  table: memo(function TableBox({ data: { table, ends } }: NodeProps<TableNode>) {
    const foreign = new Set(table.foreignKeys?.flatMap((k) => k.mappings.map((m) => m.column)))
    return (
      <div className="plain" data-table={table.id}>
        <div className="head">{table.name}</div>
        {table.columns.map((c) => (
          <div className="row" key={c.id}>
            {ends.has(c.id) && <Handle type="target" position={Position.Left} id={c.id} />}
            <span>{c.name}</span>
            <span>{typeOf(c)}</span>
            {foreign.has(c.id) && <Handle type="source" position={Position.Right} id={c.id} />}
          </div>
        ))}
      </div>
    )
  }),
}

interface Data {
  tables: Table[]
  positions: Record<Id, Place>
}

function edgesOf(tables: readonly Table[]): Edge[] {
  const known = new Map(tables.map((t) => [t.id, t]))
  return tables.flatMap((table) =>
    (table.foreignKeys ?? []).flatMap((key) => {
      const to = known.get(key.refTable ?? '')
      return key.mappings.flatMap((m, i) =>
        to && columnById(to, m.refColumn) ? [{ id: `${key.id}/${i}`, source: table.id, sourceHandle: m.column, target: to.id, targetHandle: m.refColumn ?? null }] : [],
      )
    }),
  )
}

function nodesOf({ tables, positions }: Data, edges: readonly Edge[]): TableNode[] {
  const ends = new Set(edges.map((e) => e.targetHandle ?? ''))
  return tables.map((table) => ({ id: table.id, type: 'table', position: positions[table.id] ?? { x: 0, y: 0 }, ...sizeOf(table), data: { table, ends } }))
}

const asked = new URLSearchParams(location.hash.slice(1))
const number = (name: string): number => Number(asked.get(name))

function Plain({ first }: { first: { nodes: TableNode[]; edges: Edge[] } }) {
  const [nodes, , onNodesChange] = useNodesState(first.nodes)
  const [edges, , onEdgesChange] = useEdgesState(first.edges)
  return (
    <div className="stage" style={{ left: number('left'), top: number('top'), width: number('width'), height: number('height') }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        defaultViewport={{ x: number('x'), y: number('y'), zoom: number('zoom') }}
        minZoom={0.01}
        maxZoom={2}
        onlyRenderVisibleElements={asked.has('visible')}
      />
    </div>
  )
}

const answer = await fetch('/design.json')
const data = (await answer.json()) as Data
const edges = edgesOf(data.tables)
const root = document.getElementById('root')
if (root) createRoot(root).render(<Plain first={{ edges, nodes: nodesOf(data, edges) }} />)
