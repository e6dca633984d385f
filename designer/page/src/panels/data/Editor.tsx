import { useId, useState, type KeyboardEvent } from 'react'
import { plural, visible } from '../lib/text'
import { typed, writtenAs, type Entry } from './edits'
import type { Cell } from './rows'

interface EditorProps {
  column: { name: string; type: string }
  cell: Cell
  dialect: string
  onSet: (entry: Entry) => void
  onCancel: () => void
}

const longest = 64 << 10 // bytes, which the instance takes

// Editor takes another value for a cell. Enter sets it, Escape leaves it as it
// was; Shift and Enter begin a line.
export function Editor({ column, cell, dialect, onSet, onCancel }: EditorProps) {
  const [text, setText] = useState(writtenAs(cell))
  const [touched, setTouched] = useState(false)
  const said = useId()
  const value = typed(text, column, cell, dialect)
  const size = new TextEncoder().encode(text).length
  const error = 'error' in value ? value.error : size > longest ? `The value has ${plural(size, 'byte')}, and ${longest.toLocaleString('en')} at most are written here.` : ''
  const set = (): void => {
    if (cell.kind === 'null' && !touched) onCancel()
    else if (!('error' in value) && !error) onSet(value)
  }
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) set()
    else if (event.key === 'Escape') onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="cell-editor" onKeyDown={(event) => event.target instanceof HTMLTextAreaElement && keys(event)}>
      <textarea
        autoFocus
        rows={text.includes('\n') || text.length > 80 ? 4 : 1}
        value={text}
        aria-label={`New value of ${visible(column.name)}`}
        aria-invalid={error !== ''}
        aria-describedby={said}
        placeholder={cell.kind === 'null' ? 'NULL' : ''}
        spellCheck={false}
        data-testid="cell-text"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value)
          setTouched(true)
        }}
      />
      <div className="hstack">
        <button type="button" className="button small primary" disabled={error !== ''} data-testid="cell-set" onClick={set}>
          Set
        </button>
        {cell.kind === 'null' && text === '' && (
          <button type="button" className="button small" data-testid="cell-empty" onClick={() => onSet({ text: '' })}>
            Set empty text
          </button>
        )}
        <button type="button" className="button small" data-testid="cell-null" onClick={() => onSet({ as: 'null' })}>
          Set NULL
        </button>
        <button type="button" className="button small" onClick={onCancel}>
          Cancel
        </button>
        <span id={said} className={error ? 'wrong' : 'quiet'} role={error ? 'alert' : undefined}>
          {error || 'Enter sets it, Shift+Enter begins a line'}
        </span>
      </div>
    </div>
  )
}
