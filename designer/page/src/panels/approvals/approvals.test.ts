import { describe, expect, it } from 'vitest'
import type { Approval } from '../../api/types'
import { armed, arrived, decisionOf, emptyQueue, nameToType, pageTitle, pendingCount, reduce, waiting, type Press } from './approvals'

const noon = Date.parse('2026-11-21T12:00:00Z')
const minutes = (n: number): string => new Date(noon + n * 60_000).toISOString()

function entry(id: string, change: Partial<Approval> = {}): Approval {
  return { id, kind: 'file', title: `Edit ${id}`, detail: '', format: 'diff', cut: false, client: 'agent', created: minutes(-1), expires: minutes(9), state: 'pending', ...change }
}

describe('the queue', () => {
  const read = reduce(emptyQueue, {
    kind: 'read',
    entries: [entry('old', { state: 'rejected', created: minutes(-9) }), entry('b', { created: minutes(-1) }), entry('a', { created: minutes(-3) }), entry('done', { state: 'used', created: minutes(-2) })],
  })

  it('lists what waits first, the oldest on top, then what is over', () => {
    expect(read.entries.map((e) => e.id)).toEqual(['a', 'b', 'done', 'old'])
    expect(pendingCount(read)).toBe(2)
  })

  it('knows what is being decided until the instance has answered', () => {
    const deciding = reduce(read, { kind: 'deciding', id: 'a', decision: 'approve' })
    expect(deciding.deciding.get('a')).toBe('approve')
    const decided = reduce(deciding, { kind: 'decided', entry: entry('a', { state: 'approved' }) })
    expect(decided.deciding.size).toBe(0)
    expect(decided.entries.map((e) => `${e.id} ${e.state}`).slice(0, 2)).toEqual(['b pending', 'a approved'])
    expect(reduce(deciding, { kind: 'refused', id: 'a' }).entries).toBe(deciding.entries)
  })

  it('keeps what it knows when it cannot be read', () => {
    expect(reduce(read, { kind: 'failed', error: 'offline' }).entries).toBe(read.entries)
  })

  it('tells only of what is new, and not at the first reading', () => {
    expect(arrived(emptyQueue, read, noon)).toEqual([])
    const more = reduce(read, { kind: 'read', entries: [...read.entries, entry('c'), entry('late', { expires: minutes(-1) })] })
    expect(arrived(read, more, noon).map((e) => e.id)).toEqual(['c'])
  })

  it('takes an entry past its time for over, before the instance says so', () => {
    expect(waiting(entry('a'), noon)).toBe(true)
    expect(waiting(entry('a', { expires: minutes(0) }), noon)).toBe(false)
  })

  it('is in the window’s title', () => {
    expect(pageTitle(2, 'shop')).toBe('(2) berth · shop')
    expect(pageTitle(0, 'shop')).toBe('berth · shop')
  })
})

describe('a key', () => {
  const press: Press = { key: 'a', repeat: false, modified: false, onEntry: true, focusedFor: armed }

  it('decides the entry that has the focus', () => {
    expect(decisionOf(press, entry('a'), noon)).toBe('approve')
    expect(decisionOf({ ...press, key: 'R' }, entry('a'), noon)).toBe('reject')
    expect(decisionOf({ ...press, key: 'Enter' }, entry('a'), noon)).toBeNull()
  })

  it.each<[string, Partial<Press>]>([
    ['that is held down', { repeat: true }],
    ['with a modifier', { modified: true }],
    ['on a part of the entry', { onEntry: false }],
    ['that came right after the focus', { focusedFor: armed - 1 }],
  ])('%s decides nothing', (_, change) => {
    expect(decisionOf({ ...press, ...change }, entry('a'), noon)).toBeNull()
  })

  it('cannot approve what is not shown whole, but rejects it', () => {
    expect(decisionOf(press, entry('a', { cut: true }), noon)).toBeNull()
    expect(decisionOf({ ...press, key: 'r' }, entry('a', { cut: true }), noon)).toBe('reject')
  })

  it('does not approve what loses data, which wants the database’s name typed', () => {
    const losing = entry('a', { kind: 'publish', database: 'app.db', nameToType: 'app.db' })
    expect(nameToType(losing)).toBe('app.db')
    expect(decisionOf(press, losing, noon)).toBeNull()
    expect(decisionOf({ ...press, key: 'r' }, losing, noon)).toBe('reject')
    const harmless = entry('b', { kind: 'publish', database: 'app.db' })
    expect(nameToType(harmless)).toBe('')
    expect(decisionOf(press, harmless, noon)).toBe('approve')
  })

  it('decides nothing that is over', () => {
    expect(decisionOf(press, entry('a', { state: 'approved' }), noon)).toBeNull()
    expect(decisionOf(press, entry('a', { expires: minutes(-1) }), noon)).toBeNull()
  })
})
