import type { TypeClass } from './namedType'
import type { Action, Id } from './types'

// What forms offer for a design; see GET /designs/{connection}/types.

export interface Range {
  min: number
  max: number
  default: number
  unset?: boolean
}

export interface TypeInfo {
  name: string
  aliases?: string[]
  family?: string
  length: 'none' | 'optional' | 'required'
  defaultLength?: string
  maxLength?: number
  allowsMax: boolean
  precision?: Range
  scale?: Range
  identity: boolean
  values: boolean
  kind?: string
  legacy?: boolean
}

// IndexMember is what an index of some methods can have; columns: several keys.
export type IndexMember = 'unique' | 'columns' | 'expression' | 'descending' | 'nulls' | 'opClass' | 'length' | 'collation' | 'include' | 'where'

export interface IndexMethod {
  name: string
  has: IndexMember[]
}

export interface DialectInfo {
  dialect: string
  title: string
  defaultSchema: string
  schemas: string[]
  fixedSchemas: boolean
  maxNameLength: number
  actions: Action[]
  identityIsKey: boolean
  fixedIdentity: boolean
  noPartialIndexes: boolean
  storedFormulas: boolean
  arrays: boolean
  comments: boolean
  types: TypeInfo[]
  namedTypes?: TypeClass[] // that edits make
  indexMethods: IndexMethod[] // the ordinary one first
  indexMethodsOf?: Record<Id, IndexMethod[]> // of the tables that have others
}
