import type { TableRef } from './edits'
import type { Id } from './types'

// The types that a database has of its own and edits make, with those edits.

export type TypeClass = 'enum' | 'domain'

export interface NamedType {
  id: Id
  schema: string
  name: string
  kind: TypeClass
  values?: { id: Id; name: string }[] // of an enum, in order
  domain?: { base: string; notNull?: boolean; default?: string; checks?: { name: string; expression: string }[] }
  comment?: string
}

export interface DomainSpec {
  dataType?: string // given, the type is a domain
  isNullable?: boolean
  defaultValue?: string
  check?: string // in place of all there are; '': none
}

export interface TypeSpec extends DomainSpec {
  schema?: string
  name: string
  values?: string[]
  comment?: string
}

// TypeSet holds what set_type changes. Values are renamed first; values, where
// given, are the whole list then.
export interface TypeSet extends DomainSpec {
  schema?: string
  name?: string
  values?: string[]
  addValues?: string[] // behind the others
  renameValues?: Record<string, string>
  comment?: string
}

export type TypeEdit = { op: 'add_type'; type: TypeSpec } | { op: 'set_type'; type: TableRef; set: TypeSet } | { op: 'drop_type'; type: TableRef }
