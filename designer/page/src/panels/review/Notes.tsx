import { useState } from 'react'
import { getNotes, postNote } from '../../api/review'
import { titleOf } from '../../store/design'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { Icon } from '../../ui/Icon'
import { useResource } from '../lib/resource'
import { messageOf, visible } from '../lib/text'
import { useTurn } from './watch'

const shown = 8 // of those that were read

// Notes are what a person says to the agent, whose next call gets it. One is
// about the table that is selected, if one is.
export function Notes() {
  const connection = useStore((s) => s.connection)
  const table = useStore((s) => (s.selected.size === 1 ? s.design?.tables.get([...s.selected][0] ?? '') : undefined))
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const turn = useTurn('notes')
  const { data, reload } = useResource(`${connection}\n${turn}`, () => getNotes(connection))
  const [text, setText] = useState('')
  const send = async (note: Parameters<typeof postNote>[1]): Promise<void> => {
    try {
      await postNote(connection, note)
      if ('text' in note) setText('')
    } catch (cause) {
      toast('warn', messageOf(cause))
    }
    reload()
  }
  const about = table ? titleOf({ defaultSchema }, table) : 'this design'
  const list = [...(data?.notes ?? [])].reverse()
  return (
    <section className="person-notes" aria-label="Notes to the agent">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) void send({ text, ...(table ? { table: table.id } : {}) })
        }}
      >
        <label htmlFor="note-text">Note to the agent about {about}</label>
        <div className="hstack">
          <input id="note-text" type="text" maxLength={380} value={text} data-testid="note-text" onChange={(event) => setText(event.target.value)} />
          <button type="submit" className="button small" disabled={!text.trim()} data-testid="note-send">
            Send
          </button>
        </div>
        <p className="quiet">The agent’s next call on this design gets it.</p>
      </form>
      <ul className="plain-list">
        {list.filter((n, i) => !n.read || i < shown).map((n) => (
          <li key={n.id} data-testid="note">
            <span>
              {n.table && <span className="quiet">{visible(n.table)}: </span>}
              {visible(n.text)} <span className="quiet">{n.read ? `read by ${visible(n.client || 'an agent')}` : 'waits for its next call'}</span>
            </span>
            <button type="button" className="icon-button" aria-label={`Forget the note ${n.text}`} title="Forget" onClick={() => void send({ drop: n.id })}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
