import { describe, expect, it } from 'vitest'
import { countLines, fileOf, parseDiff } from './diff'

const edit = `--- a/src/GameScene.js
+++ b/src/GameScene.js
@@ -10,4 +10,5 @@ class GameScene
 create() {
-  this.speed = 100
+  this.speed = 240
+  this.lives = 3
   this.start()
 }
`

describe('a diff', () => {
  it('numbers the lines of both sides', () => {
    const lines = parseDiff(edit).map(({ kind, oldLine, newLine }) => [kind, oldLine, newLine])
    expect(lines).toEqual([
      ['file', undefined, undefined],
      ['file', undefined, undefined],
      ['hunk', undefined, undefined],
      ['same', 10, 10],
      ['del', 11, undefined],
      ['add', undefined, 11],
      ['add', undefined, 12],
      ['same', 12, 13],
      ['same', 13, 14],
    ])
    expect(countLines(parseDiff(edit))).toEqual({ added: 2, removed: 1 })
    expect(fileOf(parseDiff(edit))).toBe('src/GameScene.js')
  })

  it('marks within a line what has changed', () => {
    const lines = parseDiff('@@ -1 +1 @@\n-const speed = 100\n+const speed = 240\n')
    const cut = (i: number): string | undefined => {
      const line = lines[i]
      return line?.changed && line.text.slice(...line.changed)
    }
    expect(cut(1)).toBe('10')
    expect(cut(2)).toBe('24')
  })

  it('marks nothing within lines that have little in common, or no counterpart', () => {
    expect(parseDiff('@@ -1 +1 @@\n-alpha beta\n+something else\n').some((l) => l.changed)).toBe(false)
    expect(parseDiff('@@ -1 +1,2 @@\n-alpha beta\n+alpha betb\n+gamma\n').some((l) => l.changed)).toBe(false)
  })

  it('takes removed lines that look like a header for what they are', () => {
    const lines = parseDiff('@@ -1,2 +1,1 @@\n--- a comment of SQL\n same\n')
    expect(lines[1]).toMatchObject({ kind: 'del', text: '-- a comment of SQL' })
  })

  it('shows what it does not understand as it is', () => {
    const text = 'not a diff\n+ at all\n\\ No newline at end of file'
    expect(parseDiff(text).map((l) => l.text)).toEqual(text.split('\n'))
  })
})
