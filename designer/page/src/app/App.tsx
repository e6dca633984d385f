import { useStore } from '../store/state'
import { Gate } from './Gate'
import { Shell } from './Shell'
import { SidePanel } from './SidePanel'
import { Toasts } from '../ui/Toasts'
import { TrustBar } from './TrustBar'

export function App() {
  const phase = useStore((s) => s.phase)
  if (phase === 'ready' || phase === 'loading') return <Shell />
  return (
    <>
      {phase === 'empty' || phase === 'failed' ? <WithoutDesign /> : <Gate />}
      <Toasts floating />
    </>
  )
}

// WithoutDesign keeps what needs no design in reach: files wait for approval
// in a project without a database too, and a connection for trust.
function WithoutDesign() {
  return (
    <div className="shell">
      <TrustBar />
      <div className="work">
        <Gate />
        <SidePanel designless />
      </div>
    </div>
  )
}
