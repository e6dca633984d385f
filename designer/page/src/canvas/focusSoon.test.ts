import { beforeEach, expect, it, vi } from 'vitest'
import { focusSoon } from './focusSoon'

const button = (): HTMLButtonElement => document.body.appendChild(document.createElement('button'))

beforeEach(() => {
  vi.useFakeTimers()
  document.body.replaceChildren()
})

it('focuses what is drawn a moment later', () => {
  const drawn: HTMLElement[] = []
  focusSoon(() => drawn[0]?.focus())
  drawn.push(button())
  vi.advanceTimersByTime(30)
  expect(document.activeElement).toBe(drawn[0])
})

it('leaves the focus where a person has taken it', () => {
  const [table, field] = [button(), button()]
  focusSoon(() => table.focus())
  field.focus()
  vi.advanceTimersByTime(30)
  expect(document.activeElement).toBe(field)
})

it('gives it to the last one asked for', () => {
  const [table, relation] = [button(), button()]
  focusSoon(() => table.focus())
  vi.advanceTimersByTime(20)
  focusSoon(() => relation.focus())
  vi.advanceTimersByTime(30)
  expect(document.activeElement).toBe(relation)
})
