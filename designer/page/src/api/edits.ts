import type { TypeEdit } from './namedType'
import type { Action, Id } from './types'

// The edits of the designer tool (apply_edits), and what its replies hold.

export interface TableRef {
  schema?: string
  name?: string
  id?: Id
}

export interface ObjectRef {
  name?: string
  id?: Id
}

export interface ColumnSpec {
  name?: string
  dataType?: string
  maxLength?: string
  precision?: number
  scale?: number
  isPrimaryKey?: boolean
  isIdentity?: boolean
  identitySeed?: number
  identityIncrement?: number
  isNullable?: boolean
  defaultValue?: string
  isComputed?: boolean
  computedFormula?: string
  computedPersisted?: boolean
  collation?: string
  comment?: string
  isUnique?: boolean
  values?: string[]
}

export interface ForeignKeySpec {
  name?: string
  referencedTable?: TableRef
  mappings?: { column: string; referencedColumn: string }[]
  onDeleteAction?: Action
  onUpdateAction?: Action
}

// IndexKey is a column or an expression, of which what is left out stays.
export interface IndexKey {
  name?: string
  expression?: string
  descending?: boolean
  nulls?: 'first' | 'last' | '' // '': as the direction implies
  opClass?: string
  length?: number
  collation?: string
}

export interface IndexSpec {
  name?: string
  unique?: boolean
  columns?: IndexKey[]
  where?: string
  method?: string
  include?: string[]
}

// Edit is about a table, or about a type of the database's own.
export type Edit = TableEdit | TypeEdit

export type TableEdit =
  | { op: 'add_table'; table: TableRef; createSchema?: boolean; comment?: string; initialColumns?: ColumnSpec[] }
  | { op: 'drop_table'; table: TableRef }
  | { op: 'set_table'; table: TableRef; createSchema?: boolean; set: { name?: string; schema?: string; comment?: string } }
  | { op: 'add_column'; table: TableRef; column: ColumnSpec }
  | { op: 'drop_column'; table: TableRef; column: ObjectRef }
  | { op: 'set_column'; table: TableRef; column: ObjectRef; set: ColumnSpec }
  | { op: 'add_foreign_key'; table: TableRef; foreignKey: ForeignKeySpec }
  | { op: 'drop_foreign_key'; table: TableRef; foreignKey: ObjectRef }
  | { op: 'set_foreign_key'; table: TableRef; foreignKey: ObjectRef; set: ForeignKeySpec }
  | { op: 'add_index'; table: TableRef; index: IndexSpec }
  | { op: 'set_index'; table: TableRef; index: ObjectRef; set: IndexSpec }
  | { op: 'drop_index'; table: TableRef; index: ObjectRef }
  | { op: 'add_check'; table: TableRef; check: { name?: string; expression: string } }
  | { op: 'drop_check'; table: TableRef; check: ObjectRef }

export interface Hints {
  nearestNames?: string[]
  nearestTables?: string[]
  nearestColumns?: string[]
  allowedSchemas?: string[]
  allowedDataTypesSample?: string[]
}

export interface Refusal {
  success: false
  reason: string
  message: string
  failedEditIndex?: number
  field?: string // the member of that edit which is to blame: "set.dataType"
  appliedEdits?: number
  currentVersion?: string
  hints?: Hints
}

export interface Receipt {
  success: true
  version: string
  dryRun?: boolean
  receipt: {
    appliedEdits?: number
    undoneEdits?: number
    redoneEdits?: number
    changes: Record<string, unknown[]>
    warnings: string[]
    truncated?: boolean
  }
}

export type Outcome = Receipt | Refusal
