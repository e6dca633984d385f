import type { Entry, PresenceList } from '../api/presence'

// Those who are here, in words.

type Self = PresenceList['self']

// keyOf tells entries apart: ids are those of one instance.
export function keyOf(e: Entry): string {
  return [e.team, e.person, e.machine, e.project, e.kind, e.id].join('\n')
}

// nameOf is what somebody is called: a person by their name, an agent by its
// program's.
export function nameOf(e: Entry, self: Self): string {
  if (e.kind === 'page') return isSelf(e, self) ? 'You' : e.person
  return e.program ?? 'An agent'
}

function isSelf(e: Entry, self: Self): boolean {
  return e.team === undefined || e.person === self.person
}

// initialsOf are one or two letters of a name: "claude-code" is CC, "ann" A.
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.slice(0, 2).map((word) => /^./u.exec(word)?.[0] ?? '')
  return letters.join('').toUpperCase() || '?'
}

// whereOf is what stands below a name: with which program, for whom, from which
// project and machine.
export function whereOf(e: Entry, self: Self): string {
  const other = e.machine !== self.machine && e.machine !== '' ? `on ${e.machine}` : ''
  if (e.kind === 'page') return [e.away ? 'in the background' : '', e.program, other].filter(Boolean).join(' · ')
  if (e.kind === 'program') return 'has the project open'
  const whose = isSelf(e, self) ? '' : `for ${e.person}`
  return [e.version ? `version ${e.version}` : '', whose, e.from ? `started in ${e.from}` : '', other].filter(Boolean).join(' · ') || 'agent'
}

// doingOf says what somebody does, before the name of the table if there is one.
export function doingOf(e: Entry, panels: readonly { id: string; title: string }[]): string {
  if (e.kind === 'agent') return e.tool ? `${e.running ? 'runs' : 'called'} ${e.tool}${e.table ? ' on' : ''}` : ''
  if (e.table) return e.editing ? 'edits' : 'looks at'
  const panel = panels.find((p) => p.id === e.view)
  return panel ? `in ${panel.title}` : ''
}

// sentence says it all in one: for a tooltip and a screen reader.
export function sentence(e: Entry, self: Self): string {
  const verb = e.kind === 'agent' ? (e.running ? 'works on this table' : 'was just at this table') : e.editing ? 'edits this table' : 'looks at this table'
  const name = nameOf(e, self)
  return name === 'You' ? `Another page of yours ${verb}` : `${name} ${verb}`
}

// summary names those who are here: "ben, claude-code and 2 more".
export function summary(list: readonly Entry[], self: Self): string {
  const names = list.map((e) => (nameOf(e, self) === 'You' ? 'another page of yours' : nameOf(e, self)))
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
