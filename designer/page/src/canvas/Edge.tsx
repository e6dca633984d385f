import { memo, type KeyboardEvent } from 'react'
import type { Id } from '../api/types'
import { selectKey } from '../store/actions'
import { showForm } from '../ui/showForm'

const keys = /^(Arrow|Enter$|Delete$|Backspace$|Home$|End$)/

// key hands the keys of a relation on to what is loaded for them.
function key(event: KeyboardEvent<SVGElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !keys.test(event.key)) return
  event.preventDefault()
  const { key: pressed, currentTarget: edge } = event
  void import('./relating').then((m) => m.relationKey(pressed, edge))
}

interface EdgeProps {
  table: Id
  foreignKey: Id
  label: string
  lit: boolean // it or a table of it is selected
  chosen: boolean // it is selected
  warned: boolean // lint has found something
  first: boolean // of its key's lines, of which the keyboard goes to one
  stop: boolean // Tab leads here
  path: string
  marks: string
  circles: string
}

// Edge is one line of a relation. A press on it or near it selects the
// relation, as the keyboard's focus does.
export const Edge = memo(function Edge({ table, foreignKey, label, lit, chosen, warned, first, stop, path, marks, circles }: EdgeProps) {
  const option = first ? ({ role: 'option', 'aria-selected': chosen, tabIndex: stop ? 0 : -1 } as const) : ({ role: 'presentation' } as const)
  return (
    <g
      className={['edge', lit && 'lit', chosen && 'chosen', warned && 'warned'].filter(Boolean).join(' ')}
      {...option}
      aria-label={first ? label : undefined}
      data-key={foreignKey}
      data-of={table}
      data-testid="edge"
      onKeyDown={key}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && selectKey(table, foreignKey)}
    >
      <path className="hit" d={path} onClick={() => selectKey(table, foreignKey)} onDoubleClick={() => showForm({ kind: 'relation', table, key: foreignKey })}>
        <title>{label}</title>
      </path>
      <path className="line" d={path + marks} />
      <path className="circle" d={circles} />
    </g>
  )
})
