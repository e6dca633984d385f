import type { Entry, PresenceList } from '../api/presence'
import { initialsOf, nameOf } from '../store/here'
import { visible } from '../panels/lib/text'
import './avatar.css'

// Avatar stands for somebody who is here: round for a person, square for a
// program. Its words are beside it, or in the label of what holds it: the
// initials are drawn by the style sheet, and are no text that a label lacks.
export function Avatar({ entry, self }: { entry: Entry; self: PresenceList['self'] }) {
  const name = nameOf(entry, self)
  return (
    <span className={`avatar ${entry.kind}${entry.away ? ' away' : ''}`} data-initials={visible(initialsOf(name === 'You' ? entry.person : name))} aria-hidden="true" />
  )
}
