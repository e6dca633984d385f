import { describe, expect, it } from 'vitest'
import type { Table } from '../../api/types'
import type { Design } from '../../store/design'
import { cascadesOf, referredBy, referringTo } from './relations'
import type { Cell } from './rows'

const parent: Table = { id: 'p', schema: 'main', name: 'parent', columns: [{ id: 'p1', name: 'a', dataType: 'int' }, { id: 'p2', name: 'b', dataType: 'text' }] }
const child: Table = {
  id: 'c',
  schema: 'main',
  name: 'child',
  columns: [{ id: 'c1', name: 'x', dataType: 'int' }, { id: 'c2', name: 'y', dataType: 'text' }],
  foreignKeys: [{ id: 'k', refTable: 'p', mappings: [{ column: 'c1', refColumn: 'p1' }, { column: 'c2', refColumn: 'p2' }], onDelete: 'no_action', onUpdate: 'no_action' }],
}
const design = { dialect: 'sqlite', defaultSchema: 'main', tables: new Map([parent, child].map((t) => [t.id, t])) } as unknown as Design
const row = (names: string[], cells: Cell[]) => ({ columns: names.map((name) => ({ name, type: '' })), cells })
const one: Cell = { kind: 'number', text: '1' }
const text: Cell = { kind: 'text', text: 'z' }

describe('from row to row', () => {
  it('leads by all columns of a key, to and fro', () => {
    const to = referredBy(child, row(['x', 'y'], [one, text]), { design, changes: [] })
    expect(to).toMatchObject([{ to: 'p', by: ['x', 'y'], filters: [{ column: 'a', is: 'eq', value: '1' }, { column: 'b', is: 'eq', value: 'z' }] }])
    const from = referringTo(parent, row(['a', 'b'], [one, text]), { design, changes: [] })
    expect(from).toMatchObject([{ to: 'c', by: ['x', 'y'], filters: [{ column: 'x', is: 'eq', value: '1' }, { column: 'y', is: 'eq', value: 'z' }] }])
  })

  it('leads nowhere by a key of which a part is NULL', () => {
    expect(referredBy(child, row(['x', 'y'], [one, { kind: 'null' }]), { design, changes: [] })).toEqual([])
  })

  it('asks by the names that the database has', () => {
    const changes = [{ kind: 'rename_column', table: { schema: 'main', name: 'parent' }, name: 'a', was: 'old' }]
    expect(referredBy(child, row(['x', 'y'], [one, text]), { design, changes })[0]?.filters[0]?.column).toBe('old')
    expect(referringTo(parent, row(['old', 'b'], [one, text]), { design, changes })).toHaveLength(1)
    const added = [{ kind: 'add_column', table: { schema: 'main', name: 'child' }, name: 'y' }]
    expect(referringTo(parent, row(['a', 'b'], [one, text]), { design, changes: added })).toEqual([])
  })

  it('names the tables whose rows go with a deleted one', () => {
    expect(cascadesOf(parent, { design, changes: [] })).toEqual([])
    const owned = { ...child, foreignKeys: (child.foreignKeys ?? []).map((k) => ({ ...k, onDelete: 'cascade' as const })) }
    const tables = new Map([parent, owned].map((t) => [t.id, t]))
    expect(cascadesOf(parent, { design: { ...design, tables }, changes: [] })).toEqual(['child'])
    expect(cascadesOf(owned, { design: { ...design, tables }, changes: [] })).toEqual([])
  })
})
