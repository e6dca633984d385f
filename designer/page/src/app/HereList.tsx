import { useEffect, useRef } from 'react'
import type { Entry, PresenceList } from '../api/presence'
import { reveal } from '../canvas/view'
import { visible } from '../panels/lib/text'
import { panels } from '../panels/registry'
import { doingOf, keyOf, nameOf, whereOf } from '../store/here'
import { titleOf } from '../store/design'
import { openDesign } from '../store/live'
import { store, useStore } from '../store/state'
import { Avatar } from '../ui/Avatar'
import { useNow } from '../ui/now'
import { useShortcut } from '../ui/shortcuts'
import { since } from './standing'

interface HereListProps {
  list: readonly Entry[]
  self: PresenceList['self']
  at: number // when the list was read
  onClose: () => void
}

// HereList says of everybody who is here what they look at, and leads there.
export default function HereList({ list, self, at, onClose }: HereListProps) {
  const box = useRef<HTMLDivElement>(null)
  useShortcut('Escape', 'Close the list of who is here', onClose, { typing: true })
  useEffect(() => {
    // A press on the button that opened it is answered there.
    const beside = ({ target }: PointerEvent): void => {
      if (target instanceof Element && !box.current?.contains(target) && !target.closest('[data-testid=here]')) onClose()
    }
    addEventListener('pointerdown', beside, true)
    return () => removeEventListener('pointerdown', beside, true)
  })
  return (
    <div className="here-list" role="group" aria-label="Who is here" data-testid="here-list" ref={box}>
      <h3>Here now</h3>
      <ul>
        {list.map((e) => (
          <Row key={keyOf(e)} entry={e} self={self} at={at} onClose={onClose} />
        ))}
      </ul>
    </div>
  )
}

function Row({ entry, self, at, onClose }: { entry: Entry; self: PresenceList['self']; at: number; onClose: () => void }) {
  const now = useNow()
  const doing = doingOf(entry, panels)
  return (
    <li className="here-row" data-testid={`here-${entry.kind}`}>
      <Avatar entry={entry} self={self} />
      <div className="here-words">
        <p>
          <strong>{visible(nameOf(entry, self))}</strong>
          {entry.kind === 'page' && nameOf(entry, self) === 'You' && ' on another page'}
        </p>
        <p className="quiet">{visible(whereOf(entry, self))}</p>
        {doing && (
          <p className="here-doing">
            {visible(doing)} <TableLink entry={entry} onClose={onClose} />
          </p>
        )}
      </div>
      {entry.kind !== 'program' && (
        <span className="quiet here-age" title="When it was last heard of">
          {entry.running ? 'now' : since(entry.heardMs + Math.max(0, now - at))}
        </span>
      )}
    </li>
  )
}

// TableLink leads to a table, also in another design of the project.
function TableLink({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { table, connection } = entry
  const here = useStore((s) => s.connection === connection)
  const title = useStore((s) => {
    const known = s.connection === connection ? s.design?.tables.get(table?.id ?? '') : undefined
    return s.design && known ? titleOf(s.design, known) : (table?.name ?? '')
  })
  if (!table || connection === undefined) return null
  const go = async (): Promise<void> => {
    onClose()
    if (store.get().connection !== connection) await openDesign(connection)
    setTimeout(() => reveal([table.id])) // once the canvas has it
  }
  return (
    <button type="button" className="button link" data-testid="here-table" title={here ? 'Show on the canvas' : 'Open its design'} onClick={() => void go()}>
      {visible(title)}
    </button>
  )
}
