import type { Column, ForeignKey, Snapshot, Table } from '../api/types'
import { fromSnapshot, type Design } from '../store/design'

// Small designs for tests.

export function column(id: string, name: string, more: Partial<Column> = {}): Column {
  return { id, name, dataType: 'int', ...more }
}

export function table(id: string, name: string, columns: Column[], more: Partial<Table> = {}): Table {
  return { id, schema: 'main', name, columns, primaryKey: { columns: columns.slice(0, 1).map((c) => c.id) }, ...more }
}

export function key(id: string, from: string, refTable: string, refColumn: string): ForeignKey {
  return { id, name: `FK_${id}`, refTable, mappings: [{ column: from, refColumn }], onDelete: 'no_action', onUpdate: 'no_action' }
}

export function snapshot(tables: Table[], version = 'v1', seq = 1): Snapshot {
  return {
    connection: 'main', name: 'main', dialect: 'sqlite', server: 'sqlite', database: 'app.db', version, seq, defaultSchema: 'main', schemas: ['main'], views: [],
    undoSteps: 0, redoSteps: 0, sync: 'synced', active: true, interrupted: false, tables, types: [],
  }
}

export function design(...tables: Table[]): Design {
  return fromSnapshot(snapshot(tables), null)
}

export function shop(): Design {
  return design(
    table('c', 'Customer', [column('c1', 'Id'), column('c2', 'Mail')]),
    table('o', 'Orders', [column('o1', 'Id'), column('o2', 'CustomerId', { isNullable: true })], { foreignKeys: [key('fk', 'o2', 'c', 'c1')] }),
    table('x', 'Log', [column('x1', 'Id')]),
  )
}
