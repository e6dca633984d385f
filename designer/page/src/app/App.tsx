import { useStore } from '../store/state'
import { Gate } from './Gate'
import { Shell } from './Shell'
import { Toasts } from './Toasts'

export function App() {
  const phase = useStore((s) => s.phase)
  return (
    <>
      {phase === 'ready' || phase === 'loading' ? <Shell /> : <Gate />}
      <Toasts />
    </>
  )
}
