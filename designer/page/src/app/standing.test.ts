import { expect, it } from 'vitest'
import type { Seen } from '../store/sight'
import { since, standing } from './standing'

const now = 1_000_000
const seen = (more: Partial<Seen> = {}): Seen => ({ connection: 'main', seenAt: now - 2_000, readAt: now - 90_000, problem: '', ...more })
const badge = (more: Partial<Parameters<typeof standing>[0]> = {}) => standing({ sync: 'synced', count: 0, seen: seen(), online: true, now, ...more })

it('the badge carries its age and says what it means', () => {
  expect(badge()).toMatchObject({ text: 'In sync', age: 'read now', unsure: false })
  expect(badge().title).toMatch(/agree.*compared now.*read whole 1 min ago/)
  expect(badge({ seen: seen({ seenAt: now - 12_000 }) })).toMatchObject({ age: 'read 12 s ago', unsure: false })
})

it('the badge says a state in the words of the panel', () => {
  expect([badge(), badge({ sync: 'proposed', count: 3 }), badge({ sync: 'proposed', count: null }), badge({ sync: 'drifted' })].map((b) => b.text)).toEqual(['In sync', 'Proposed 3', 'Proposed', 'Drifted'])
})

it('what is only a memory is not shown as certain', () => {
  expect(badge({ seen: seen({ seenAt: now - 60_000 }) })).toMatchObject({ age: 'read 1 min ago', unsure: true })
  expect(badge({ seen: seen({ problem: 'the server is down' }) })).toMatchObject({ unsure: true })
  expect(badge({ seen: seen({ problem: 'the server is down' }) }).title).toContain('the server is down')
  expect(badge({ seen: seen({ seenAt: null, readAt: null }) })).toMatchObject({ age: 'not read yet', unsure: true })
  expect(badge({ online: false })).toMatchObject({ unsure: true })
})

it('writes ages as people do', () => {
  expect([0, 5_000, 59_999, 60_000, 7_200_000].map(since)).toEqual(['now', '5 s ago', '59 s ago', '1 min ago', '2 h ago'])
})
