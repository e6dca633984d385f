import { describe, expect, it } from 'vitest'
import type { Happened, HistoryStep } from '../../api/types'
import type { Activity } from '../../store/state'
import { happened } from './happened'

const where = { defaultSchema: 'main', database: 'shop' }

const at = (minute: number): string => `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`
const step = (number: number, batchId: string, more: Partial<HistoryStep> = {}): HistoryStep => ({ step: number, origin: 'agent', batchId, at: at(number), description: `step ${number}`, ...more })
const seen = (type: Activity['type'], minute: number, batchId: string): Activity => ({ id: minute, seq: minute, type, at: Date.parse(at(minute)), origin: 'page', who: 'You', own: true, text: type, tables: [], batchId })
const lines = (seen: Activity[], history: Parameters<typeof happened>[1]): string[] => happened(seen, history, where).map((h) => `${h.who}: ${h.text}`)

describe('what happened', () => {
  it('has the steps from before the page was loaded, with who made them, a call a line', () => {
    const undo = [step(4, 'd', { origin: 'page' }), step(3, 'b'), step(2, 'b', { client: 'claude-code' }), step(1, '', { origin: 'file' })]
    expect(lines([], { version: 'v', undo, redo: [], happened: [] })).toEqual(['You: step 4', 'Agent: step 2 and 1 more', 'Design file: step 1'])
  })

  it('names the program that asked', () => {
    expect(lines([], { version: 'v', undo: [step(1, 'a', { client: 'claude-code' })], redo: [], happened: [] })).toEqual(['claude-code: step 1'])
  })

  it('says what was seen once, and where it was seen to be undone what that was', () => {
    const history = { version: 'v', undo: [step(1, 'a')], redo: [step(2, 'b')], happened: [] }
    expect(lines([seen('undone', 4, 'b'), seen('committed', 3, 'a')], history)).toEqual(['You: undone', 'You: committed', 'Agent: step 2 (undone since)'])
  })

  it('is in the order of time, whoever saw it', () => {
    const history = { version: 'v', undo: [step(5, 'missed'), step(1, 'early')], redo: [], happened: [] }
    expect(lines([seen('committed', 3, 'x')], history)).toEqual(['Agent: step 5', 'You: committed', 'Agent: step 1'])
  })

  it('is what the page has seen where the history is not there yet', () => {
    expect(lines([seen('published', 3, 'x')], null)).toEqual(['You: published'])
  })

  it('has what the instance kept and no step says, once', () => {
    const kept: Happened[] = [
      { seq: 9, type: 'published', at: at(9), origin: 'agent', client: 'claude-code', sync: 'synced' },
      { seq: 8, type: 'undone', at: at(8), origin: 'page', batchId: 'b', sync: 'proposed', changes: { tablesDropped: [{ schema: 'main', name: 'orders' }] }, tables: ['t'] },
      { seq: 7, type: 'refreshed', at: at(7), origin: 'page', batchId: 'c', sync: 'synced' },
    ]
    const history = { version: 'v', undo: [step(7, 'c')], redo: [step(2, 'b')], happened: kept }
    expect(lines([], history)).toEqual([
      'claude-code: published the design to shop',
      'You: undid: dropped table orders',
      'You: settled what the design and the database had both changed',
      'Agent: step 2 (undone since)',
    ])
    expect(lines([seen('published', 9, '')], history).filter((l) => l.includes('published'))).toEqual(['You: published'])
  })
})
