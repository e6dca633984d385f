import { useState } from 'react'
import { Icon } from '../../ui/Icon'
import { plural } from '../lib/text'
import type { Edit } from './edits'
import { ReviewRows, type ReviewRowsProps } from './ReviewRows'

interface EditBarProps extends Omit<ReviewRowsProps, 'onClose'> {
  edits: readonly Edit[]
  onAdd: () => void
  onForget: () => void
}

// EditBar says how many rows are to be changed, and leads to their review.
export function EditBar({ onAdd, onForget, ...review }: EditBarProps) {
  const [open, setOpen] = useState(false)
  const { edits } = review
  return (
    <div className="hstack edit-bar" role="group" aria-label="Changes of rows">
      <button type="button" className="button small" data-testid="row-add" onClick={onAdd}>
        <Icon name="plus" /> Add row
      </button>
      <span className="quiet" role="status" data-testid="rows-pending">
        {edits.length > 0 && `${plural(edits.length, 'row')} changed, not run yet`}
      </span>
      {edits.length > 0 && (
        <span className="hstack at-end">
          <button type="button" className="button small" data-testid="rows-forget" onClick={onForget}>
            <Icon name="undo" /> Take all back
          </button>
          <button type="button" className="button small primary" data-testid="rows-review" onClick={() => setOpen(true)}>
            Review …
          </button>
        </span>
      )}
      {open && <ReviewRows {...review} onClose={() => setOpen(false)} />}
    </div>
  )
}
