import type { NamedType, TypeClass } from '../../api/namedType'
import type { Refusal } from '../../api/edits'
import { useStore } from '../../store/state'
import { blame } from '../blame'
import { Field, Trouble, Wrong } from '../Field'
import { DomainFields } from './DomainFields'
import { blank, type Fields } from './draft'
import './types.css'
import { ValueList } from './ValueList'

const kinds: Record<TypeClass, string> = { enum: 'Enum: one of a list of values', domain: 'Domain: another type with conditions' }

interface TypeFieldsProps {
  type: NamedType | null // null: a new one
  draft: Fields
  refusal: Refusal | null
  warnings: string[]
  change: (part: Partial<Fields>) => void
}

// TypeFields are the fields of an enum or a domain.
export function TypeFields({ type, draft, refusal, warnings, change }: TypeFieldsProps) {
  const classes = useStore((s) => s.dialect?.namedTypes ?? [])
  const schemas = useStore((s) => s.design?.schemas ?? [])
  const { at, rest } = blame(refusal, ['name', 'schema', 'comment', ...(draft.kind === 'enum' ? ['values', 'addValues', 'renameValues'] : ['dataType', 'defaultValue', 'check'])])
  return (
    <>
      {type === null && classes.length > 1 && (
        <Field label="Kind">
          <select data-testid="type-kind" value={draft.kind} onChange={(e) => change({ ...blank(e.target.value as TypeClass, draft.schema), name: draft.name, comment: draft.comment })}>
            {classes.map((kind) => (
              <option key={kind} value={kind}>
                {kinds[kind]}
              </option>
            ))}
          </select>
        </Field>
      )}
      <div className="columns">
        <Field label="Name" error={at('name')}>
          <input type="text" autoFocus={type === null} autoComplete="off" spellCheck={false} data-testid="type-name" value={draft.name} onChange={(e) => change({ name: e.target.value })} />
        </Field>
        {schemas.length > 1 && (
          <Field label="Schema" error={at('schema')}>
            <select data-testid="type-schema" value={draft.schema} onChange={(e) => change({ schema: e.target.value })}>
              {[...new Set([...schemas, draft.schema])].map((schema) => (
                <option key={schema}>{schema}</option>
              ))}
            </select>
          </Field>
        )}
        <Field label="Comment" error={at('comment')}>
          <input type="text" autoComplete="off" data-testid="type-comment" value={draft.comment} onChange={(e) => change({ comment: e.target.value })} />
        </Field>
      </div>
      {draft.kind === 'enum' ? (
        <ValueList values={draft.values} onChange={(values) => change({ values })}>
          <Wrong text={at('values') ?? at('addValues') ?? at('renameValues')} />
        </ValueList>
      ) : (
        <DomainFields type={type} draft={draft} at={at} change={change} />
      )}
      <Trouble error={rest} warnings={warnings} />
    </>
  )
}
