import type { Span } from './highlight'

// Colours for a line of code in any of the usual languages, from its words
// alone: comments, strings, numbers, keywords. A diff shows lines out of their
// context, where a real parser has no better grounds.

const keywords = new Set(
  (
    'abstract and as async await begin break case catch class const continue create def default defer delete do drop elif else end enum ' +
    'except export extends extern false final finally fn for from func function go if impl implements import in insert instanceof int interface into is ' +
    'lambda let map match mod module mut namespace new nil none not null of or override package pass primary private protected pub public raise range ' +
    'readonly return select self static string struct super switch table template then this throw throws trait true try type typeof undefined union ' +
    'unsafe update use using values var void when where while with yield'
  ).split(' '),
)

const slashComments = '//[^\\n]*|/\\*.*?(?:\\*/|$)'
const hashComments = '#[^\\n]*'
const dashComments = '--[^\\n]*'

const families: [pattern: RegExp, comments: string][] = [
  [/\.(py|rb|sh|bash|ya?ml|toml|r|pl|ps1|dockerfile|makefile|cfg|ini|env)$/i, hashComments],
  [/\.(sql|lua|hs|elm)$/i, dashComments],
  [/\.php$/i, `${slashComments}|${hashComments}`],
  [/\.(md|txt|html?|xml|svg|csv)$/i, ''],
]

function commentsOf(path: string): string {
  return families.find(([pattern]) => pattern.test(path))?.[1] ?? slashComments
}

const strings = '"(?:\\\\.|[^"\\\\])*"?|\'(?:\\\\.|[^\'\\\\])*\'?|`(?:\\\\.|[^`\\\\])*`?'
const rest = '\\b\\d[\\w.]*|[A-Za-z_$][\\w$]*'

// tokenizer returns what splits a line of the file at path.
export function tokenizer(path: string): (line: string) => Span[] {
  const comments = commentsOf(path)
  if (comments === '') return (line) => [{ text: line, style: '' }]
  const pattern = new RegExp([comments, strings, rest].join('|'), 'g')
  const comment = new RegExp(`^(?:${comments})`)
  return (line) => {
    if (line.length > 2_000) return [{ text: line, style: '' }]
    const spans: Span[] = []
    let at = 0
    for (const found of line.matchAll(pattern)) {
      const style = styleOf(found[0], comment)
      if (style === '') continue
      if (found.index > at) spans.push({ text: line.slice(at, found.index), style: '' })
      spans.push({ text: found[0], style })
      at = found.index + found[0].length
    }
    if (at < line.length || spans.length === 0) spans.push({ text: line.slice(at), style: '' })
    return spans
  }
}

function styleOf(token: string, comment: RegExp): string {
  if (comment.test(token)) return 'tok-comment'
  if (/^["'`]/.test(token)) return 'tok-string'
  if (/^\d/.test(token)) return 'tok-number'
  return keywords.has(token.toLowerCase()) && token.length > 1 ? 'tok-keyword' : ''
}

// emphasised cuts spans where [from, to) begins and ends, and marks what lies
// between.
export function emphasised(spans: readonly Span[], from: number, to: number): Span[] {
  const out: Span[] = []
  let at = 0
  for (const { text, style } of spans) {
    const cuts = [0, from - at, to - at, text.length].map((n) => Math.min(Math.max(n, 0), text.length))
    const [a = 0, b = 0, c = 0, d = 0] = cuts
    if (b > a) out.push({ text: text.slice(a, b), style })
    if (c > b) out.push({ text: text.slice(b, c), style: `${style} changed`.trim() })
    if (d > c) out.push({ text: text.slice(c, d), style })
    at += text.length
  }
  return out
}
