import { expect, it } from 'vitest'
import { Lines } from './lines'

it('lines come whole however the stream was cut, and what is no object is left out', () => {
  const taken: unknown[] = []
  const lines = new Lines((line) => taken.push(line))
  for (const part of ['{"a"', ':1}\nberth: hello\n', '\n5\n{"b":2}', '\n{"c":3}']) lines.feed(part)
  expect(taken).toEqual([{ a: 1 }, { b: 2 }])
})
