import { useId } from 'react'
import type { DialectInfo } from '../api/dialect'
import { titleOf, type Design } from '../store/design'
import { useStore } from '../store/state'

interface TypeInputProps {
  value: string
  onChange: (type: string) => void
  id?: string
  label?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string | undefined
}

// TypeInput takes any type and offers those of the dialect, common ones first.
export function TypeInput({ value, onChange, label, ...rest }: TypeInputProps) {
  const dialect = useStore((s) => s.dialect)
  const design = useStore((s) => s.design)
  const list = useId()
  return (
    <>
      <input type="text" list={list} aria-label={label} autoComplete="off" spellCheck={false} data-testid="column-type" value={value} onChange={(e) => onChange(e.target.value)} {...rest} />
      <datalist id={list}>
        {typesOf(dialect, design).map((t) => (
          <option key={t} value={t} />
        ))}
      </datalist>
    </>
  )
}

// typesOf lists the types of the design's own, which may be newer than the
// dialect's, behind those.
function typesOf(dialect: DialectInfo | null, design: Design | null): string[] {
  const known = (dialect?.types ?? []).filter((t) => t.legacy !== true).map((t) => t.name)
  return [...new Set([...known, ...(design?.types.map((t) => titleOf(design, t)) ?? [])])]
}

// bareType is a type's name without what stands in parentheses.
export function bareType(text: string): string {
  return text.replace(/\s*\(.*$/, '').trim()
}
