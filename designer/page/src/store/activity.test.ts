import { expect, it } from 'vitest'
import type { DesignEvent, DesignEventType } from '../api/types'
import { shop } from '../test/designs'
import { describe } from './activity'

const said = (type: DesignEventType, more: Partial<DesignEvent> = {}): string => describe({ seq: 2, type, sync: 'synced', ...more }, shop())
const changes = { tablesAdded: [{ schema: 'main', name: 'Invoice' }] }

it('every type of event has words of its own, with and without changes', () => {
  const types: DesignEventType[] = ['committed', 'undone', 'redone', 'shown', 'published', 'refreshed', 'reset']
  for (const more of [{}, { changes }]) {
    const all = types.map((type) => said(type, more))
    expect(new Set(all).size).toBe(types.length)
    expect(all.join()).not.toMatch(/undefined|no visible change/)
  }
})

it('a publish is called one, whoever made it and whatever it brought back', () => {
  expect(said('published', { origin: 'agent' })).toBe('published the design to app.db')
  expect(said('published', { origin: 'page', changes })).toBe('published the design to app.db')
  expect(said('published', { origin: 'page', sync: 'proposed' })).toBe('published to app.db; not all of the design is there')
})

it('what became of the database elsewhere is no edit of the design', () => {
  expect(said('refreshed', { origin: 'database', changes })).toBe('was changed elsewhere: added table Invoice')
  expect(said('refreshed', { origin: 'database', sync: 'drifted' })).toMatch(/see Changes$/)
  expect(said('refreshed', { origin: 'page' })).toMatch(/^settled/)
})

it('a file that took edits back is called that, with the way back', () => {
  const words = said('committed', { origin: 'file', changes, tookBack: { file: '.berth/designs/main.json', edits: 2 } })
  expect(words).toBe('took back 2 edits: .berth/designs/main.json was changed by another program; one undo brings back what was before (added table Invoice)')
  expect(said('committed', { origin: 'file', tookBack: { file: 'f', edits: 1 } })).toMatch(/^took back an edit: f .* before$/)
})
