import { expect, it, vi } from 'vitest'
import { DatabaseTree, type Node } from './databaseTree'
import type { Folders } from './folders'
import type { TableName } from './schema'

vi.mock('./vscode', () => ({
  vscode: {
    EventEmitter: class {
      event = (): void => undefined
    },
    TreeItem: class {
      constructor(readonly label: string, readonly collapsibleState: number) {}
    },
    TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
    ThemeIcon: class {
      constructor(readonly id: string) {}
    },
    DataTransferItem: class {
      constructor(readonly value: string) {}
    },
  },
}))

const table = (dialect: string, name: string, schema: string, database = 'shop'): Node => ({
  kind: 'table', folder: undefined as never, connection: { name: 'main', dialect, database }, table: { schema, name } satisfies TableName,
})

// dragged is what an editor is given of nodes that are dropped into it.
function dragged(...nodes: Node[]): string | undefined {
  const tree = new DatabaseTree({ onDidChange: () => undefined, onDidAdd: () => undefined } as unknown as Folders)
  const data = new Map<string, { value: string }>()
  tree.handleDrag(nodes, data as never)
  expect([...data.keys()]).toEqual(tree.dragMimeTypes) // the editor drops what is not declared
  return data.get('text/plain')?.value
}

it('a table that is dropped is its name, as its database takes it', () => {
  expect(dragged(table('sqlite', 'artist', 'main'))).toBe('artist')
  expect(dragged(table('postgres', 'Order Item', 'public'))).toBe('"Order Item"')
  expect(dragged(table('mssql', 'Order', 'dbo'))).toBe('[Order]')
  expect(dragged(table('mysql', 'orders', 'shop'))).toBe('orders')
})

it('a table whose name is a word of the dialect is dropped in quotes', () => {
  expect(['sqlite', 'postgres', 'mysql', 'mssql'].map((d) => dragged(table(d, 'order', '')))).toEqual(['"order"', '"order"', '`order`', '[order]'])
  expect(['postgres', 'mssql', 'sqlite'].map((d) => dragged(table(d, 'user', '')))).toEqual(['"user"', '[user]', 'user'])
  expect(['mysql', 'sqlite'].map((d) => dragged(table(d, 'rank', '')))).toEqual(['`rank`', 'rank'])
  expect(dragged(table('postgres', 'orders', 'end'))).toBe('"end".orders')
})

it('a table of another schema than the usual is dropped with it', () => {
  expect(dragged(table('postgres', 'orders', 'sales'))).toBe('sales.orders')
  expect(dragged(table('mssql', 'Order', 'Sales'))).toBe('[Sales].[Order]')
  expect(dragged(table('sqlite', 'orders', 'temp'))).toBe('temp.orders')
  expect(dragged(table('mysql', 'orders', 'other'))).toBe('other.orders')
})

it('several are dropped as a list, and what has no name is left out', () => {
  const column: Node = { kind: 'column', name: 'Name', text: 'TEXT', sql: '"Name"' }
  expect(dragged(table('sqlite', 'artist', 'main'), column, { kind: 'problem', text: 'no' })).toBe('artist, "Name"')
})

it('many connections stay closed until one is opened: each would be asked for its tables', () => {
  const tree = new DatabaseTree({ onDidChange: () => undefined, onDidAdd: () => undefined } as unknown as Folders)
  const state = async (count: number): Promise<unknown> => {
    const list = Array.from({ length: count }, (_, i) => ({ name: `db${i}`, dialect: 'sqlite' }))
    const folder = { instance: { json: () => Promise.resolve({ connections: list }) } } as never
    const nodes = await tree.getChildren({ kind: 'folder', folder })
    expect(nodes).toHaveLength(count)
    return [...new Set(nodes.map((n) => tree.getTreeItem(n).collapsibleState))]
  }
  return Promise.all([expect(state(10)).resolves.toEqual([2]), expect(state(11)).resolves.toEqual([1])])
})
