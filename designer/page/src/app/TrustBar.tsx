import './trust.css'
import { useEffect, useRef } from 'react'
import { onNotice } from '../store/live'
import { useSelector } from '../store/store'
import { askToAllow, readTrust, sayTrust, trust, waiting } from '../store/trust'
import { Asks } from './Asks'
import { TrustDialog } from './TrustDialog'

// TrustBar says what the project's own files ask and is left out until their
// user allows it, and says when what is allowed changes.
export function TrustBar() {
  const now = useSelector(trust, (s) => s.now)
  const summary = useFocusAfterAnswer()
  useTrust()
  const asks = waiting(now)
  return (
    <>
      {now && asks.length > 0 && (
        <details className="trust-bar" data-testid="trust">
          <summary ref={summary}>
            {asks.length === 1 ? 'One thing' : `${asks.length} things`} that this project’s own files ask for {asks.length === 1 ? 'waits' : 'wait'} for your trust.
          </summary>
          <Asks
            asks={asks}
            root={now.projectRoot}
            action={(ask) => (
              <button type="button" className="button small" data-testid="allow" aria-label={`Allow … ${ask.words}`} onClick={() => askToAllow([ask])}>
                Allow …
              </button>
            )}
          />
          <p>
            {asks.length > 1 && (
              <button type="button" className="button small" data-testid="allow-all" onClick={() => askToAllow(asks)}>
                Allow all {asks.length} …
              </button>
            )}
            <span>
              or at a terminal: <code>{now.command}</code>
            </span>
          </p>
        </details>
      )}
      <TrustDialog />
    </>
  )
}

// useTrust keeps the list as the instance has it.
function useTrust(): void {
  useEffect(() => {
    void readTrust()
    return onNotice((notice) => {
      if (notice.type === 'reconnected') void readTrust()
      if (notice.type !== 'trust') return
      sayTrust(notice)
      void readTrust()
    })
  }, [])
}

// useFocusAfterAnswer keeps the keyboard where the person was: the button that
// opened the dialog goes with the line that was allowed, and the list may too.
function useFocusAfterAnswer() {
  const summary = useRef<HTMLElement>(null)
  const state = useSelector(trust, (s) => s)
  useEffect(() => {
    if (state.answers === 0 || state.asking.length > 0 || document.activeElement !== document.body) return
    const next = summary.current ?? document.querySelector<HTMLElement>('[data-testid=tab-approvals]')
    next?.focus()
  }, [state])
  return summary
}
