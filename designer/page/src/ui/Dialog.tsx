import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Icon } from './Icon'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  testId?: string
  wide?: boolean
}

// The dialogs that are open, the topmost last.
const open: HTMLDialogElement[] = []

// Escape closes the topmost dialog wherever the focus is: what had it may be
// gone. It is taken before the browser does, which would close a dialog that
// has asked to stay at the second press.
document.addEventListener('keydown', (event) => {
  const top = open.at(-1)
  if (event.key !== 'Escape' || event.defaultPrevented || !top) return
  event.preventDefault()
  top.dispatchEvent(new Event('cancel', { cancelable: true }))
})

// Dialog is modal and closes on Escape, its button and a click beside it.
// The browser keeps the focus inside and gives it back.
export function Dialog({ title, onClose, children, testId, wide }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const heading = useId()
  const [shown, setShown] = useState(false) // what is in a closed dialog cannot take the focus, so it comes afterwards
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal() // which gives the focus to the first button, that closes
    head.current?.focus()
    setShown(true)
  }, [])
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    open.push(dialog)
    return () => void open.splice(open.indexOf(dialog), 1)
  }, [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      data-testid={testId}
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <header className="dialog-head">
        <h2 id={heading} ref={head} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="dialog-body">{shown && children}</div>
    </dialog>
  )
}
