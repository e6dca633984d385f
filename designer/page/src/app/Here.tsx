import { lazy, Suspense, useRef, useState } from 'react'
import { visible } from '../panels/lib/text'
import { keyOf, summary } from '../store/here'
import { others, presence } from '../store/presence'
import { useSelector } from '../store/store'
import { Avatar } from '../ui/Avatar'
import './here.css'

const HereList = lazy(() => import('./HereList'))

const shown = 3

// Here shows who else is here, and leads to the list of them. Where nobody is,
// there is nothing.
export function Here() {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const known = useSelector(presence, (s) => s)
  const list = others(known)
  const self = known.list?.self
  if (!self || list.length === 0) return null
  const close = (): void => {
    if (button.current?.parentElement?.contains(document.activeElement)) button.current.focus()
    setOpen(false)
  }
  return (
    <div className="here">
      <button
        ref={button}
        type="button"
        className="here-switch"
        aria-label={`Who is here: ${visible(summary(list, self))}`}
        title={`Here: ${visible(summary(list, self))}`}
        aria-expanded={open}
        data-testid="here"
        data-count={list.length}
        onClick={() => setOpen(!open)}
      >
        {list.slice(0, shown).map((e) => (
          <Avatar key={keyOf(e)} entry={e} self={self} />
        ))}
        {list.length > shown && <span className="here-more" data-count={`+${list.length - shown}`} aria-hidden="true" />}
        {list.length > 1 && <span className="here-count" data-count={list.length} aria-hidden="true" />}
      </button>
      <Suspense>{open && <HereList list={list} self={self} at={known.at} onClose={close} />}</Suspense>
    </div>
  )
}
