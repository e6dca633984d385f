import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { visible } from '../lib/text'
import { complete, type Completion, type Names, type Suggestion } from './complete'

interface SqlBoxProps {
  text: string
  names: Names
  onText: (text: string) => void
  onRun: () => void
}

// SqlBox takes a query. Below it stands what may be meant by the word at the
// caret, over what comes after the box: arrows choose, Tab takes it, Escape
// leaves it.
export function SqlBox({ text, names, onText, onRun }: SqlBoxProps) {
  const ref = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [caret, setCaret] = useState<number | null>(null) // null: nothing is suggested
  const [chosen, setChosen] = useState(0)
  const after = useRef<number | null>(null) // where the caret belongs once the text is there
  const found = useMemo(() => (caret === null ? null : complete(text, caret, names)), [text, caret, names])
  useLayoutEffect(() => {
    if (after.current === null) return
    ref.current?.setSelectionRange(after.current, after.current)
    after.current = null
  })
  const take = ({ from }: Completion, s: Suggestion): void => {
    after.current = from + s.text.length
    onText(text.slice(0, from) + s.text + text.slice(caret ?? from))
    setCaret(null)
    ref.current?.focus()
  }
  const keys = (event: KeyboardEvent): void => {
    const suggested = found?.suggestions[chosen]
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      setCaret(null)
      onRun()
    } else if (found && suggested && event.key === 'Tab' && !event.shiftKey) take(found, suggested)
    else if (found && event.key === 'ArrowDown') setChosen((chosen + 1) % found.suggestions.length)
    else if (found && event.key === 'ArrowUp') setChosen((chosen + found.suggestions.length - 1) % found.suggestions.length)
    else if (found && event.key === 'Escape') setCaret(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="sql-box">
      <textarea
        ref={ref}
        value={text}
        rows={5}
        role="combobox"
        aria-label="Query"
        aria-autocomplete="list"
        aria-expanded={found !== null}
        aria-controls={list}
        aria-activedescendant={found ? `${list}-${chosen}` : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        placeholder="SELECT …"
        data-testid="sql-text"
        onChange={(e) => {
          onText(e.target.value)
          setCaret(e.target.selectionEnd)
          setChosen(0)
        }}
        onKeyDown={keys}
        onClick={() => setCaret(null)}
        onBlur={() => setCaret(null)}
      />
      <ul id={list} role="listbox" aria-label="Suggestions" className="suggestions" hidden={found === null}>
        {found?.suggestions.map((s, i) => (
          <li
            key={`${s.kind} ${s.text}`}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === chosen}
            data-testid="suggestion"
            onMouseDown={(event) => {
              event.preventDefault() // the focus stays in the query
              take(found, s)
            }}
          >
            {visible(s.text)} <span className="quiet">{s.kind === 'column' ? visible(s.of) : s.kind === 'table' ? 'table' : ''}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
