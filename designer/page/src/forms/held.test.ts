import { describe, expect, it } from 'vitest'
import { bothOf, followed, picked, touched, type Held } from './held'

interface Draft {
  name: string
  type: string
  parts: string[]
}

const before: Draft = { name: 'mail', type: 'text', parts: ['a'] }
const held = (mine: Partial<Draft> = {}): Held<Draft> => ({ before, draft: { ...before, ...mine } })

describe('a form', () => {
  it('follows what nobody touched in it', () => {
    const next = followed(held({ name: 'mine' }), { ...before, type: 'int', parts: ['a', 'b'] })
    expect(next.draft).toEqual({ name: 'mine', type: 'int', parts: ['a', 'b'] })
    expect(bothOf(next, { ...before, type: 'int', parts: ['a', 'b'] })).toEqual([])
    expect(touched(next)).toBe(true)
  })

  it('keeps what was typed where somebody else changed the same, and says so', () => {
    const now = { ...before, name: 'theirs' }
    const next = followed(held({ name: 'mine' }), now)
    expect(next.draft.name).toBe('mine')
    expect(bothOf(next, now)).toEqual([{ field: 'name', theirs: 'theirs', mine: 'mine' }])
  })

  it('has nothing to pick where both came to the same', () => {
    const now = { ...before, name: 'same' }
    const next = followed(held({ name: 'same' }), now)
    expect(bothOf(next, now)).toEqual([])
    expect(touched(next)).toBe(false)
  })

  it('takes the side that was picked', () => {
    const now = { ...before, name: 'theirs' }
    expect(picked(held({ name: 'mine', type: 'int' }), now, 'theirs')).toEqual({ before: now, draft: { ...now, type: 'int' } })
    const mine = picked(held({ name: 'mine' }), now, 'mine')
    expect([mine.draft.name, mine.before.name]).toEqual(['mine', 'theirs'])
    expect(bothOf(mine, now)).toEqual([])
  })

  it('is the same object while there is nothing new', () => {
    const same = held({ name: 'mine' })
    expect(followed(same, { ...before })).toBe(same)
  })
})
