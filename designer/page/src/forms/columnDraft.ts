import type { ColumnSpec } from '../api/edits'
import type { DialectInfo } from '../api/dialect'
import type { Id, Table } from '../api/types'
import { columnById, isKeyColumn } from '../store/design'

// A column as the fields of its form have it: numbers as text, since a field
// may be empty.
export interface Draft {
  name: string
  dataType: string
  maxLength: string
  precision: string
  scale: string
  isPrimaryKey: boolean
  isNullable: boolean
  isIdentity: boolean
  identitySeed: string
  identityIncrement: string
  defaultValue: string
  isComputed: boolean
  computedFormula: string
  computedPersisted: boolean
  collation: string
}

// labels are the fields' names on the form.
export const labels: Record<keyof Draft, string> = {
  name: 'Column name',
  dataType: 'Type',
  maxLength: 'Length',
  precision: 'Precision',
  scale: 'Scale',
  isPrimaryKey: 'Primary key',
  isNullable: 'Nullable',
  isIdentity: 'Identity',
  identitySeed: 'Counts from',
  identityIncrement: 'By',
  defaultValue: 'Default',
  isComputed: 'Computed',
  computedFormula: 'Formula',
  computedPersisted: 'Stored',
  collation: 'Collation',
}

export function draftOf(table: Table, id: Id | null, dialect: DialectInfo | null): Draft {
  const c = id === null ? undefined : columnById(table, id)
  return {
    name: c?.name ?? '',
    dataType: c?.dataType ?? commonText(dialect),
    maxLength: c?.maxLength ?? '',
    precision: number(c?.precision),
    scale: number(c?.scale),
    isPrimaryKey: c !== undefined && isKeyColumn(table, c),
    isNullable: c === undefined || c.isNullable === true,
    isIdentity: c?.isIdentity ?? false,
    identitySeed: number(c?.identitySeed),
    identityIncrement: number(c?.identityIncrement),
    defaultValue: c?.defaultValue ?? '',
    isComputed: c?.isComputed ?? false,
    computedFormula: c?.computedFormula ?? '',
    computedPersisted: c?.computedPersisted ?? false,
    collation: c?.collation ?? '',
  }
}

// commonText is what most new columns are: the dialect's first text type.
function commonText(dialect: DialectInfo | null): string {
  const text = dialect?.types.find((t) => ['varchar', 'nvarchar', 'text'].includes(t.kind ?? '') && t.legacy !== true)
  return text?.name ?? dialect?.types[0]?.name ?? ''
}

function number(value: number | undefined): string {
  return value ? String(value) : ''
}

// differences is what an edit has to say: of a new column everything that was
// filled in, of one that is there what has changed. Fields that a change of
// type has emptied are left to the instance, which fills in the type's own.
export function differences(before: Draft, draft: Draft, isNew: boolean): ColumnSpec {
  const spec: ColumnSpec = {}
  const texts = ['name', 'dataType', 'maxLength', 'defaultValue', 'computedFormula', 'collation'] as const
  const numbers = ['precision', 'scale', 'identitySeed', 'identityIncrement'] as const
  const flags = ['isPrimaryKey', 'isNullable', 'isIdentity', 'isComputed', 'computedPersisted'] as const
  const retyped = draft.dataType !== before.dataType
  for (const f of texts) {
    const value = draft[f].trim()
    if (isNew ? value !== '' : value !== before[f] && !(retyped && f === 'maxLength' && value === '')) spec[f] = value
  }
  for (const f of numbers) {
    if (draft[f] !== '' && (isNew || retyped || draft[f] !== before[f])) spec[f] = Number(draft[f])
  }
  for (const f of flags) if (isNew ? draft[f] || f === 'isNullable' : draft[f] !== before[f]) spec[f] = draft[f]
  if (isNew && spec.isPrimaryKey) delete spec.isNullable
  if (retyped && !('precision' in spec)) delete spec.scale
  return spec
}
