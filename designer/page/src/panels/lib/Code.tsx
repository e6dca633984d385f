import { useMemo } from 'react'
import { countLines, fileOf, parseDiff, type DiffLine } from './diff'
import { sqlLines, type Span } from './highlight'
import { visible } from './text'
import { emphasised, tokenizer } from './tokens'
import './panels.css'

// Code that is read, not edited. Everything from outside is a text node.

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, style }, i) =>
    style === '' ? (
      text
    ) : (
      <span key={i} className={style}>
        {text}
      </span>
    ),
  )
}

interface SqlProps {
  code: string
  dialect: string
  label: string
}

// Sql shows a statement, or a few.
export function Sql({ code, dialect, label }: SqlProps) {
  const lines = useMemo(() => sqlLines(visible(code), dialect), [code, dialect])
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      <code>
        {lines.map((spans, i) => (
          <span key={i} className="code-line">
            <Spans spans={spans} />
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  )
}

// Plain shows a text in a fixed pitch.
export function Plain({ code, label }: { code: string; label: string }) {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      <code>{visible(code)}</code>
    </pre>
  )
}

const marks: Partial<Record<DiffLine['kind'], string>> = { add: '+', del: '−' }

// Diff shows a unified diff, coloured by what changed and by language.
export function Diff({ diff, label }: { diff: string; label: string }) {
  const { lines, tokens, counts } = useMemo(() => {
    const parsed = parseDiff(visible(diff))
    return { lines: parsed, tokens: tokenizer(fileOf(parsed)), counts: countLines(parsed) }
  }, [diff])
  return (
    <div className="code diff" tabIndex={0} role="region" aria-label={`${label}: ${counts.added} lines added, ${counts.removed} removed`} data-testid="diff">
      <table role="presentation">
        <tbody>
          {lines.map((line, i) => (
            <tr key={i} className={`diff-${line.kind}`}>
              <td className="diff-no">{line.oldLine}</td>
              <td className="diff-no">{line.newLine}</td>
              <td className="diff-mark">{marks[line.kind]}</td>
              <td className="diff-text">
                <Text line={line} tokens={tokens} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Text({ line, tokens }: { line: DiffLine; tokens: (line: string) => Span[] }) {
  if (line.kind !== 'add' && line.kind !== 'del' && line.kind !== 'same') return line.text
  const spans = tokens(line.text)
  return <Spans spans={line.changed ? emphasised(spans, ...line.changed) : spans} />
}
