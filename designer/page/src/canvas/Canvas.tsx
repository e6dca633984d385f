import { ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { lazy, Suspense, useEffect, useRef, type RefObject } from 'react'
import { select } from '../store/actions'
import { showForm } from '../ui/showForm'
import { Toasts } from '../ui/Toasts'
import { store, useStore, type State } from '../store/state'
import { useShortcut } from '../ui/shortcuts'
import './canvas.css'
import { ConnectLine } from './ConnectLine'
import { Controls } from './Controls'
import { Dots } from './Dots'
import { EdgeLayer } from './EdgeLayer'
import { FarLayer } from './FarLayer'
import { FirstUse, Guide } from './Guide'
import { addArea, addNote, remove } from './items/changing'
import { allShown, itemsOf } from './items/items'
import { DetailContext } from './lod'
import { MiniMap } from './MiniMap'
import { takeChanges, useGround, useNodes, useShown } from './nodes'
import { useRegion } from './region'
import { RemoveDialog } from './RemoveDialog'
import { askToDrop, askToDropKey } from './removing'
import { selectShown } from './showing'
import { Scale } from './Scale'
import { SearchBox } from './SearchBox'
import './shown.css'
import { ShownLine } from './ShownLine'
import { TableActions } from './TableActions'
import { TableNode } from './TableNode'
import { useAutoPan } from './useAutoPan'
import { useCopying } from './useCopying'
import { useFar } from './useFar'
import { useLayout } from './useLayout'
import { useOpenView } from './useOpenView'
import { useSteadyView } from './useSteadyView'
import { followAddress, maxZoom, minZoom, useView, viewportFor } from './useView'
import { arrangeView, fitView } from './view'
import { restoreView, saveView } from './viewport'
import { isSpread } from './spread'
import { useSpread } from './useSpread'

const Ghosts = lazy(() => import('./Ghosts'))
const Items = lazy(() => import('./items/Items'))

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
  const ground = useGround(shown)
  const { nodes, painted } = useNodes(ground, region)
  const far = useFar(shown, painted)
  const searching = useStore((s) => s.searching)
  const drawn = useStore((s) => Object.keys(itemsOf(s)).length > 0)
  const dropped = useStore((s) => s.reviewing.dropped.length > 0)
  const busy = useStore((s) => s.arranging > 0)
  useSpread(shown)
  useOpenView()
  useView(stage)
  useLayout()
  useFirstView(stage)
  useSteadyView(stage)
  useAutoPan()
  useCopying()
  useCanvasKeys()
  return (
    <div className="canvas" data-testid="canvas" aria-busy={busy}>
      <ShownLine shown={shown.length} />
      <div className="plane" ref={stage} onPointerMove={far.point}>
        {region.detail === 'full' && <Dots />}
        {painted && <FarLayer shown={shown} />}
        <DetailContext value={region.detail}>
          <ReactFlow
            nodes={nodes}
            nodeTypes={nodeTypes}
            onNodesChange={takeChanges}
            onMoveEnd={(_, viewport) => isSpread(store.get()) || saveView(viewport)}
            onPaneClick={far.click}
            onDoubleClick={far.clickTwice}
            onSelectionEnd={far.selectArea}
            minZoom={minZoom}
            maxZoom={maxZoom}
            nodesConnectable={false}
            nodesFocusable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            zoomOnDoubleClick={false}
            selectNodesOnDrag={false}
            multiSelectionKeyCode={['Meta', 'Control', 'Shift']}
            proOptions={{ hideAttribution: true }}
          >
            <EdgeLayer shown={shown} ground={ground} region={region} painted={painted} />
            <Suspense>{drawn && <Items painted={painted} />}</Suspense>
            <Suspense>{dropped && <Ghosts region={region} />}</Suspense>
          </ReactFlow>
        </DetailContext>
        <ConnectLine />
        <Guide shown={shown.length} />
        <MiniMap shown={shown} />
        {searching && <SearchBox />}
        <Scale stage={stage} />
      </div>
      {shown.length > 0 && <FirstUse />}
      <Toasts />
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
  const placed = useStore(anyPlaced)
  const connection = useStore((s) => s.connection)
  const done = useRef('')
  useEffect(() => {
    if (!placed || done.current === connection) return
    done.current = connection
    const rect = allShown(store.get())
    const box = stage.current?.getBoundingClientRect()
    if (!rect || !box) return
    void flow.setViewport((isSpread(store.get()) ? null : restoreView(rect, box)) ?? viewportFor(rect, box, 1))
    followAddress()
  }, [placed, connection, flow, stage])
}

function anyPlaced({ design, positions }: State): boolean {
  for (const id of design?.tables.keys() ?? []) if (positions[id]) return true
  return false
}

function useCanvasKeys(): void {
  useShortcut('mod+f', 'Search tables and columns', () => store.set({ searching: true }), { typing: true })
  useShortcut('Delete', 'Drop what is selected', dropSelected)
  useShortcut('Backspace', 'Drop what is selected', dropSelected)
  useShortcut('mod+a', 'Select all tables that are shown', selectShown)
  useShortcut('Escape', 'Select nothing', () => select([]))
  useShortcut('alt+n', 'New table', () => showForm({ kind: 'table', table: null }))
  useShortcut('alt+a', 'New area, around what is selected', () => addArea())
  useShortcut('alt+m', 'New note', () => addNote())
  useShortcut('alt+r', 'Go through the relations of a table', () => void import('./relating').then((m) => m.nextRelation()))
  useShortcut('alt+c', 'Collapse the tables that are selected to their titles, or expand them', () => void import('./collapsing').then((m) => m.turn([...store.get().selected])))
  useShortcut('1', 'Zoom to fit', fitView)
  useShortcut('alt+l', 'Arrange what is visible', () => void arrangeView())
}

function dropSelected(): void {
  const { selected, selectedKey, chosenItem } = store.get()
  if (chosenItem !== null) remove(chosenItem)
  else if (selectedKey) askToDropKey(selectedKey.table, selectedKey.key)
  else askToDrop([...selected])
}
