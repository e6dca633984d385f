import { describe, expect, it } from 'vitest'
import { sqlLines } from './highlight'
import { emphasised, tokenizer } from './tokens'

describe('the colours of code', () => {
  it('leave nothing of a line out, whatever it holds', () => {
    const lines = ['const a = "x // y" // and so on', "it's an 'unfinished string", '', '/* open', '🙂 const é = `t`', '#!/bin/sh']
    for (const path of ['a.ts', 'b.py', 'c.sql', 'd.md', 'noextension']) {
      for (const line of lines) expect(tokenizer(path)(line).map((s) => s.text).join('')).toBe(line)
    }
  })

  it('tell comments by the language', () => {
    const first = (path: string, line: string): string | undefined => tokenizer(path)(line)[0]?.style
    expect(first('a.py', '# note')).toBe('tok-comment')
    expect(first('a.ts', '# note')).toBe('')
    expect(first('a.sql', '-- note')).toBe('tok-comment')
    expect(first('a.go', '// note')).toBe('tok-comment')
  })

  it('keep to the text when a change is marked in the middle of a word', () => {
    const spans = emphasised([{ text: 'const', style: 'tok-keyword' }, { text: ' speed', style: '' }], 3, 8)
    expect(spans).toEqual([
      { text: 'con', style: 'tok-keyword' },
      { text: 'st', style: 'tok-keyword changed' },
      { text: ' sp', style: 'changed' },
      { text: 'eed', style: '' },
    ])
  })

  it('know SQL in its dialect, and lose none of it', () => {
    const script = "CREATE TABLE `a b` (x int); -- note\nSELECT 'it''s'\n\n"
    const lines = sqlLines(script, 'mysql')
    expect(lines.map((l) => l.map((s) => s.text).join('')).join('\n')).toBe(script)
    expect(lines[0]?.[0]).toEqual({ text: 'CREATE', style: 'tok-keyword' })
  })
})
