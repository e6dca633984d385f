import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Icon } from './Icon'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  testId?: string
  wide?: boolean
}

// Dialog is modal and closes on Escape, its button and a click beside it.
// The browser keeps the focus inside and gives it back.
export function Dialog({ title, onClose, children, testId, wide }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const heading = useId()
  const [open, setOpen] = useState(false) // what is in a closed dialog cannot take the focus, so it comes afterwards
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal() // which gives the focus to the first button, that closes
    head.current?.focus()
    setOpen(true)
  }, [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      data-testid={testId}
      onCancel={(event) => {
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
      <div className="dialog-body">{open && children}</div>
    </dialog>
  )
}
