import { lazy, Suspense } from 'react'
import { Canvas } from '../canvas/Canvas'
import { outlineKeys, toggleOutline } from '../store/actions'
import { step } from '../store/steps'
import { store, useStore } from '../store/state'
import { useShortcut } from '../ui/shortcuts'
import { ClashDialog } from './ClashDialog'
import { LeaveDialog } from './LeaveDialog'
import { OfflineBar } from './OfflineBar'
import { nextRegion } from './regions'
import { SidePanel } from './SidePanel'
import { TeamBar } from './TeamBar'
import { TopBar } from './TopBar'
import { TrustBar } from './TrustBar'

const Forms = lazy(() => import('../forms/Forms'))
const Outline = lazy(() => import('../outline/Outline'))
const Menus = lazy(() => import('../menus/Menus').then((m) => ({ default: m.Menus })))
const HelpSheet = lazy(() => import('./HelpSheet'))

// Shell is the designer's frame: the bar above, the outline, the canvas, the side panel.
export function Shell() {
  const form = useStore((s) => s.form)
  const helping = useStore((s) => s.helping)
  const outline = useStore((s) => s.outline)
  useShortcut(outlineKeys, 'Show or hide the list of tables', toggleOutline)
  useShortcut('mod+z', 'Undo', () => void step('undo'))
  useShortcut('shift+mod+z', 'Redo', () => void step('redo'))
  useShortcut('mod+y', 'Redo', () => void step('redo'))
  useShortcut('F6', 'Go to the next part of the page', () => nextRegion(1), { typing: true })
  useShortcut('shift+F6', 'Go to the part before', () => nextRegion(-1), { typing: true })
  useShortcut('?', 'Show the shortcuts', () => store.set({ helping: true }))
  return (
    <div className="shell">
      <TopBar />
      <OfflineBar />
      <TeamBar />
      <TrustBar />
      <div className="work">
        <Suspense>{outline && <Outline />}</Suspense>
        <div className="desk">
          <main className="stage" aria-label="Design">
            <Canvas />
          </main>
          <Suspense>{form && <Forms />}</Suspense>
        </div>
        <SidePanel />
      </div>
      <Suspense>
        {helping && <HelpSheet />}
      </Suspense>
      <Suspense>
        <Menus />
      </Suspense>
      <ClashDialog />
      <LeaveDialog />
    </div>
  )
}
