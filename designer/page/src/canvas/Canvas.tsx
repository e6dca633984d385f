import { ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useEffect, useRef, type RefObject } from 'react'
import { select } from '../store/actions'
import { showForm } from '../ui/showForm'
import { store, useStore } from '../store/state'
import { useShortcut } from '../ui/shortcuts'
import './canvas.css'
import { ConnectLine } from './ConnectLine'
import { Controls } from './Controls'
import { Dots } from './Dots'
import { EdgeLayer } from './EdgeLayer'
import { FarLayer } from './FarLayer'
import { bounds, rectsOf } from './geometry'
import { FirstUse, Guide } from './Guide'
import { DetailContext } from './lod'
import { MiniMap } from './MiniMap'
import { takeChanges, useNodes, useShown } from './nodes'
import { useRegion } from './region'
import { RemoveDialog } from './RemoveDialog'
import { askToDrop, askToDropKey } from './removing'
import { Scale } from './Scale'
import { SearchBox } from './SearchBox'
import { TableActions } from './TableActions'
import { TableNode } from './TableNode'
import { useFar } from './useFar'
import { useLayout } from './useLayout'
import { useSteadyView } from './useSteadyView'
import { followAddress, maxZoom, minZoom, useView, viewportFor } from './useView'
import { arrangeView, fitView } from './view'
import { restoreView, saveView } from './viewport'

const nodeTypes = { table: TableNode }

export function Canvas() {
  return (
    <ReactFlowProvider>
      <Diagram />
    </ReactFlowProvider>
  )
}

function Diagram() {
  const stage = useRef<HTMLDivElement>(null)
  const region = useRegion()
  const shown = useShown()
  const { nodes, painted } = useNodes(shown, region)
  const far = useFar(shown, painted)
  const searching = useStore((s) => s.searching)
  const busy = useStore((s) => s.arranging > 0)
  useView(stage)
  useLayout()
  useFirstView(stage)
  useSteadyView(stage)
  useCanvasKeys()
  return (
    <div className="canvas" data-testid="canvas" aria-busy={busy}>
      <div className="plane" ref={stage} onPointerMove={far.point}>
        {region.detail === 'full' && <Dots />}
        {painted && <FarLayer shown={shown} />}
        <DetailContext value={region.detail}>
          <ReactFlow
            nodes={nodes}
            nodeTypes={nodeTypes}
            onNodesChange={takeChanges}
            onMoveEnd={(_, viewport) => saveView(viewport)}
            onPaneClick={far.click}
            onSelectionEnd={far.selectArea}
            minZoom={minZoom}
            maxZoom={maxZoom}
            nodesConnectable={false}
            nodesFocusable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            zoomOnDoubleClick={false}
            selectNodesOnDrag={false}
            multiSelectionKeyCode={['Meta', 'Control']}
            proOptions={{ hideAttribution: true }}
          >
            {!painted && <EdgeLayer shown={shown} region={region} />}
          </ReactFlow>
        </DetailContext>
        <ConnectLine />
        <Guide shown={shown.length} />
        <MiniMap shown={shown} />
        {searching && <SearchBox />}
        <Scale stage={stage} />
      </div>
      {shown.length > 0 && <FirstUse />}
      <div className="dock">
        <Controls />
        <TableActions />
      </div>
      <RemoveDialog />
    </div>
  )
}

// useFirstView chooses what is seen first, before anything is painted: the
// table that the address names, else what was seen last, else everything.
function useFirstView(stage: RefObject<HTMLDivElement | null>): void {
  const flow = useReactFlow()
  const placed = useStore((s) => s.design !== null && Object.keys(s.positions).length > 0)
  const connection = useStore((s) => s.connection)
  const done = useRef('')
  useEffect(() => {
    if (!placed || done.current === connection) return
    done.current = connection
    const { design, positions } = store.get()
    const rect = design && bounds(rectsOf(design.tables.values(), positions))
    const box = stage.current?.getBoundingClientRect()
    if (!rect || !box) return
    void flow.setViewport(restoreView(rect, box) ?? viewportFor(rect, box, 1))
    followAddress()
  }, [placed, connection, flow, stage])
}

function useCanvasKeys(): void {
  useShortcut('mod+f', 'Search tables and columns', () => store.set({ searching: true }), { typing: true })
  useShortcut('Delete', 'Drop what is selected', dropSelected)
  useShortcut('Backspace', 'Drop what is selected', dropSelected)
  useShortcut('mod+a', 'Select all tables', () => store.set(({ design }) => ({ selected: new Set(design?.tables.keys()) })))
  useShortcut('Escape', 'Select nothing', () => select([]))
  useShortcut('alt+n', 'New table', () => showForm({ kind: 'table', table: null }))
  useShortcut('1', 'Zoom to fit', fitView)
  useShortcut('alt+l', 'Arrange what is visible', () => void arrangeView())
}

function dropSelected(): void {
  const { selected, selectedKey } = store.get()
  if (selectedKey) askToDropKey(selectedKey.table, selectedKey.key)
  else askToDrop([...selected])
}
