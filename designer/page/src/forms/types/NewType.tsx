import { lazy, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from '../../store/state'
import { Icon } from '../../ui/Icon'

const NewTypeDialog = lazy(() => import('./NewTypeDialog'))

// NewType makes a type for the column whose form it stands in, where the
// database has types of its own.
export function NewType({ onMade }: { onMade: (name: string) => void }) {
  const possible = useStore((s) => (s.dialect?.namedTypes?.length ?? 0) > 0)
  const [open, setOpen] = useState(false)
  if (!possible) return null
  const made = (name: string): void => {
    setOpen(false)
    onMade(name)
  }
  return (
    <>
      <button type="button" className="button small new-type" data-testid="new-enum" onClick={() => setOpen(true)}>
        <Icon name="plus" /> New enum …
      </button>
      {open &&
        createPortal(
          // A form within a form: what the inner one sends is not for the outer one.
          <div onSubmit={(event) => event.stopPropagation()}>
            <Suspense>
              <NewTypeDialog onMade={made} onClose={() => setOpen(false)} />
            </Suspense>
          </div>,
          document.body,
        )}
    </>
  )
}
