// Unified diffs, read line by line for colouring. Whatever is not understood
// is shown as it is: a diff that a person approves hides nothing.

export type LineKind = 'file' | 'hunk' | 'add' | 'del' | 'same' | 'note'

export interface DiffLine {
  kind: LineKind
  text: string // without its mark for add, del and same
  oldLine?: number
  newLine?: number
  changed?: readonly [from: number, to: number] // of text: what differs from its counterpart
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

// parseDiff reads a unified diff of one or more files.
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  let oldLine = 0
  let newLine = 0
  let oldLeft = 0
  let newLeft = 0
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const head = hunkHead.exec(text)
    const mark = text[0] ?? ' '
    if (head) {
      oldLine = Number(head[1])
      newLine = Number(head[3])
      oldLeft = Number(head[2] ?? 1)
      newLeft = Number(head[4] ?? 1)
      lines.push({ kind: 'hunk', text })
    } else if (mark === '\\') lines.push({ kind: 'note', text })
    else if (mark === '+' && newLeft > 0) {
      lines.push({ kind: 'add', text: text.slice(1), newLine: newLine++ })
      newLeft--
    } else if (mark === '-' && oldLeft > 0) {
      lines.push({ kind: 'del', text: text.slice(1), oldLine: oldLine++ })
      oldLeft--
    } else if (mark === ' ' && oldLeft > 0 && newLeft > 0) {
      lines.push({ kind: 'same', text: text.slice(1), oldLine: oldLine++, newLine: newLine++ })
      oldLeft--
      newLeft--
    } else lines.push({ kind: /^(---|\+\+\+|diff|index|new file|deleted file|similarity|rename)/.test(text) ? 'file' : 'note', text })
  }
  return paired(lines)
}

// paired marks what differs between removed lines and the added ones that
// stand in their place, where there are as many.
function paired(lines: DiffLine[]): DiffLine[] {
  for (let i = 0; i < lines.length; i++) {
    const dels = run(lines, i, 'del')
    const adds = run(lines, i + dels, 'add')
    if (dels > 0 && dels === adds) {
      for (let k = 0; k < dels; k++) mark(lines[i + k], lines[i + dels + k])
    }
    if (dels + adds > 0) i += dels + adds - 1
  }
  return lines
}

function run(lines: readonly DiffLine[], from: number, kind: LineKind): number {
  let n = 0
  while (lines[from + n]?.kind === kind) n++
  return n
}

function mark(del: DiffLine | undefined, add: DiffLine | undefined): void {
  if (!del || !add) return
  const [a, b] = [del.text, add.text]
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  if ((start + end) * 3 < most) return // hardly alike: the whole line is new
  del.changed = [start, a.length - end]
  add.changed = [start, b.length - end]
}

// fileOf is the path that a diff is of, for the colours of its language.
export function fileOf(lines: readonly DiffLine[]): string {
  for (const { kind, text } of lines) {
    const found = kind === 'file' ? /^\+\+\+ (?:b\/)?([^\t]+)/.exec(text) : null
    if (found?.[1] && found[1] !== '/dev/null') return found[1]
  }
  return ''
}

export function countLines(lines: readonly DiffLine[]): { added: number; removed: number } {
  return { added: lines.filter((l) => l.kind === 'add').length, removed: lines.filter((l) => l.kind === 'del').length }
}
