import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import './dock.css'
import { openPanel } from '../store/actions'
import { Icon } from './Icon'
import { useShortcut } from './shortcuts'
import { useDock, type Place } from './dock'
import { Resizer } from './Resizer'

interface DockProps {
  title: string
  onClose: () => void
  children: ReactNode
  tools?: ReactNode // beside the title
  testId: string
}

// Dock is what is edited beside the diagram: below it or at its side, a sheet
// on a phone. Nothing waits for it, so it is no dialog. It gives the focus back
// to what had it.
export function Dock({ title, onClose, children, tools, testId }: DockProps) {
  const ref = useRef<HTMLElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const heading = useId()
  const dock = useDock()
  useShortcut('Escape', 'Close what is edited', onClose, { typing: true })
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!ref.current?.contains(before)) head.current?.focus()
    return () => {
      if (before instanceof HTMLElement) setTimeout(() => restore(before))
    }
  }, [])
  useEffect(() => {
    if (matchMedia('(max-width: 720px)').matches) openPanel(null) // there is room for one of them
  }, [])
  const { place, size, turn } = dock
  return (
    <section ref={ref} className={`editor ${place}`} style={{ [place === 'side' ? 'width' : 'height']: size }} aria-labelledby={heading} data-testid={testId} onKeyDown={keepKeys}>
      <Resizer of={dock} edge={place === 'side' ? 'left' : 'top'} label="Size of the editor" testId="resize-editor" />
      <header className="editor-head">
        <h2 id={heading} ref={head} tabIndex={-1}>
          {title}
        </h2>
        {tools}
        <button type="button" className="icon-button turn" aria-label={turns[place]} title={turns[place]} data-testid="turn-editor" onClick={turn}>
          <Icon name={place === 'side' ? 'below' : 'beside'} />
        </button>
        <button type="button" className="icon-button" aria-label="Close" data-testid="close-editor" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="editor-body">{children}</div>
    </section>
  )
}

const turns: Record<Place, string> = { below: 'Put it at the side', side: 'Put it below' }

// keepKeys keeps what is pressed here from dropping tables on the canvas.
function keepKeys(event: KeyboardEvent): void {
  if (event.key === 'Delete' || event.key === 'Backspace') event.stopPropagation()
}

function restore(before: HTMLElement): void {
  if (document.activeElement === document.body && before.isConnected) before.focus()
}
