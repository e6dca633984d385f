import { useStore } from '../store/state'
import { Gate } from './Gate'
import { Shell } from './Shell'
import { SidePanel } from './SidePanel'
import { Toasts } from './Toasts'

export function App() {
  const phase = useStore((s) => s.phase)
  return (
    <>
      {phase === 'ready' || phase === 'loading' ? <Shell /> : phase === 'empty' || phase === 'failed' ? <WithoutDesign /> : <Gate />}
      <Toasts />
    </>
  )
}

// WithoutDesign keeps what needs no design in reach: files wait for approval
// in a project without a database too.
function WithoutDesign() {
  return (
    <div className="shell">
      <div className="work">
        <Gate />
        <SidePanel designless />
      </div>
    </div>
  )
}
