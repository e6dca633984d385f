import { expect, test } from 'vitest'
import { readOnly, type Team } from './team'

const team: Team = { name: 'shop', connected: true, since: '2026-11-28T10:00:00Z' }
const said = (more: Partial<Team>): string => readOnly({ ...team, ...more }, () => '10:00')

test('a design that can be edited has nothing to say', () => {
  expect(readOnly(undefined, () => '')).toBe('')
  expect(said({})).toBe('')
})

test('a design that cannot be edited says why, the most lasting reason first', () => {
  expect(said({ connected: false, reason: 'EOF' })).toMatch(/^The broker of team design “shop” has been unreachable since 10:00: EOF\. What is here stays/)
  expect(said({ connected: false })).toMatch(/since 10:00\. What/)
  expect(said({ connected: false, unknown: 'b1' })).toMatch(/has not said what became of an edit/)
  expect(said({ connected: false, unknown: 'b1', stopped: 'ann removed ben from the team' })).toBe('ann removed ben from the team')
})
