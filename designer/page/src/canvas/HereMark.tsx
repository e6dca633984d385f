import type { Entry } from '../api/presence'
import type { Id } from '../api/types'
import { visible } from '../panels/lib/text'
import { keyOf, sentence } from '../store/here'
import { atTable, presence } from '../store/presence'
import { store } from '../store/state'
import { shallow, useSelector } from '../store/store'
import { Avatar } from '../ui/Avatar'
import './here.css'

const shown = 3
const nobody: Entry[] = []

// useHere are those who are at a table just now, other than this page.
export function useHere(table: Id): Entry[] {
  return useSelector(
    presence,
    (s) => {
      const found = atTable(s, store.get().connection, table)
      return found.length === 0 ? nobody : found
    },
    shallow,
  )
}

// HereMark is the quiet sign on a table that somebody else is at it.
export function HereMark({ here }: { here: readonly Entry[] }) {
  const self = presence.get().list?.self
  if (!self || here.length === 0) return null
  return (
    <span className="here-mark" title={visible(wordsOf(here))} data-testid="here-mark">
      {here.slice(0, shown).map((e) => (
        <Avatar key={keyOf(e)} entry={e} self={self} />
      ))}
    </span>
  )
}

// wordsOf says who is at a table: "ben edits this table".
export function wordsOf(here: readonly Entry[]): string {
  const self = presence.get().list?.self
  return self ? here.map((e) => sentence(e, self)).join('. ') : ''
}
