import { describe, expect, it } from 'vitest'
import type { Project } from '../../api/types'
import { failedCount, happenings, remember, sorted } from './projects'

function project(name: string, change: Partial<Project> = {}): Project {
  return { projectRoot: `/home/ann/${name}`, port: 50000, url: 'http://127.0.0.1:50000', state: 'live', self: false, pid: 10, version: '1', ...change }
}

describe('the projects', () => {
  it('are said to have failed, or to have a new instance, once', () => {
    const before = [project('a'), project('b'), project('c')]
    const after = [project('a', { state: 'stale', pid: null }), project('b', { pid: 11, version: '2' }), project('c')]
    expect(happenings(before, after).map((h) => `${h.tone}: ${h.text}`)).toEqual([
      'warn: The instance of a has failed: nothing answers on port 50000 any more.',
      'info: A new instance serves b now (version 2).',
    ])
    expect(happenings(after, after)).toEqual([])
    expect(happenings(before, [project('a', { state: 'not answering' })]).map((h) => h.text)).toEqual(['The instance of a has stopped answering on port 50000.'])
  })

  it('are in no list for a moment while one instance takes over from another', () => {
    const seen = remember([], [project('a')], 1_000)
    const between = remember(seen, [], 2_000)
    expect(happenings(between.map((s) => s.project), [project('a', { pid: 11 })])).toHaveLength(1)
    expect(remember(between, [], 20_000)).toEqual([])
    expect(remember(between, [project('a', { pid: 11 })], 3_000).map((s) => s.project.pid)).toEqual([11])
  })

  it('come and go in good order without a word', () => {
    expect(happenings([], [project('a')])).toEqual([])
    expect(happenings([project('a')], [])).toEqual([])
  })

  it('list this one first, then what runs', () => {
    expect(sorted([project('z'), project('a', { state: 'stale' }), project('m', { self: true })]).map((p) => p.projectRoot)).toEqual(['/home/ann/m', '/home/ann/z', '/home/ann/a'])
    expect(failedCount([project('z'), project('a', { state: 'squatted' })])).toBe(1)
  })
})
