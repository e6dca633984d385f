import { beforeEach, describe, expect, it } from 'vitest'
import type { Entry } from '../api/presence'
import { whoDid } from './activity'
import { browserOf } from './browser'
import { doingOf, initialsOf, nameOf, sentence, summary, whereOf } from './here'
import { atTable, others, page, presence, type Known } from './presence'
import { ownOf } from './presenceWatch'
import { initial } from './state'

const self = { person: 'ann', machine: 'laptop', project: 'shop' }

function entry(more: Partial<Entry> = {}): Entry {
  return { kind: 'page', id: 'p', person: 'ann', machine: 'laptop', project: 'shop', sinceMs: 0, heardMs: 0, ...more }
}

const agent = (more: Partial<Entry> = {}): Entry => entry({ kind: 'agent', id: 'a', program: 'claude-code', version: '2.1', tool: 'get_table', ...more })

function known(...here: Entry[]): Known {
  return { list: { self, here }, at: 1_000, now: 1_000 }
}

describe('who is here', () => {
  it('is everybody but this page', () => {
    const mine = entry({ id: page })
    expect(others(known(mine, entry(), agent())).map((e) => e.id)).toEqual(['p', 'a'])
    expect(others({ list: null, at: 0, now: 0 })).toEqual([])
    expect(others(known(entry({ id: page, team: 'shop', person: 'ben' })))).toHaveLength(1)
  })

  it('is at a table while it is seen, an agent for a minute after its call', () => {
    const table = { id: 't', name: 'main.t' }
    const at = (k: Known): string[] => atTable(k, 'main', 't').map((e) => e.id)
    const all = known(entry({ connection: 'main', table }), agent({ connection: 'main', table, heardMs: 30_000 }), entry({ id: 'away', connection: 'main', table, away: true }), entry({ id: 'else', connection: 'other', table }))
    expect(at(all)).toEqual(['p', 'a'])
    expect(at({ ...all, now: 32_000 })).toEqual(['p'])
    expect(at(known(agent({ connection: 'main', table, heardMs: 90_000, running: true })))).toEqual(['a'])
  })

  it('is said in words', () => {
    const ben = entry({ person: 'ben', team: 'shop', machine: 'desk', program: 'Firefox', table: { id: 't', name: 'main.t' }, editing: true })
    expect([nameOf(ben, self), whereOf(ben, self), doingOf(ben, [])]).toEqual(['ben', 'Firefox · on desk', 'edits'])
    expect([nameOf(entry(), self), whereOf(entry({ program: 'Chrome', away: true }), self)]).toEqual(['You', 'in the background · Chrome'])
    const theirs = agent({ person: 'ben', team: 'shop', from: 'web', table: { id: 't', name: 'main.t' } })
    expect([nameOf(theirs, self), whereOf(theirs, self), doingOf(theirs, [])]).toEqual(['claude-code', 'version 2.1 · for ben · started in web', 'called get_table on'])
    expect(doingOf(entry({ view: 'data' }), [{ id: 'data', title: 'Data' }])).toBe('in Data')
    expect(sentence(ben, self)).toBe('ben edits this table')
    expect(sentence(entry(), self)).toBe('Another page of yours looks at this table')
    expect(summary([ben, theirs], self)).toBe('ben and claude-code')
    expect(summary([ben, theirs, entry(), entry()], self)).toBe('ben, claude-code and 2 more')
  })

  it('has initials whatever its name', () => {
    expect(['claude-code', 'ann', 'Ünal Örs', '…', ''].map(initialsOf)).toEqual(['CC', 'A', 'ÜÖ', '?', '?'])
  })
})

describe('this page says', () => {
  it('which table is selected, or before that, which one is edited', () => {
    const ready = { ...initial, phase: 'ready' as const, connection: 'main', panel: 'data' }
    expect(ownOf({ ...ready, selected: new Set(['a']) }, false)).toMatchObject({ connection: 'main', table: 'a', editing: false, view: 'data', away: false })
    expect(ownOf({ ...ready, selected: new Set(['a', 'b']) }, true)).toMatchObject({ table: '', away: true })
    expect(ownOf({ ...ready, selected: new Set(['a']), form: { kind: 'table', table: 'b' } }, false)).toMatchObject({ table: 'b', editing: true })
    expect(ownOf({ ...ready, form: { kind: 'table', table: null } }, false)).toMatchObject({ table: '', editing: false })
    expect(ownOf({ ...ready, phase: 'loading', selected: new Set(['a']) }, false)).toMatchObject({ connection: '', table: '' })
  })

  it('which browser shows it', () => {
    expect(browserOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', false)).toBe('Firefox')
    expect(browserOf('Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0', false)).toBe('Edge')
    expect(browserOf('Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0 Safari/537.36', false)).toBe('Chrome')
    expect(browserOf('anything', false)).toBe('browser')
    expect(browserOf('anything', true)).toBe('editor')
  })
})

describe('who did something', () => {
  beforeEach(() => presence.set({ list: { self, here: [] } }))

  it('has a name: the other person of a team, or the program', () => {
    expect(whoDid('page', undefined, undefined)).toBe('You')
    expect(whoDid('page', '', 'ann')).toBe('You')
    expect(whoDid('page', '', 'ben')).toBe('ben')
    expect(whoDid('agent', 'claude-code', 'ann')).toBe('claude-code')
    expect(whoDid('agent', 'claude-code', 'ben')).toBe('ben, claude-code')
    expect(whoDid('agent', undefined, 'ben')).toBe('ben, Agent')
  })
})
