import { expect, it } from 'vitest'
import type { Instance } from './instance'
import { connections } from './schema'

// An instance whose status names ten connections at most, and whose list of
// designs names all.
function instance(count: number): Instance {
  const all = Array.from({ length: count }, (_, i) => ({ id: `db${i}`, name: `db${i}`, dialect: 'sqlite', database: `db${i}.db`, open: i === 0 }))
  const bodies: Record<string, unknown> = { '/status': { databases: all.slice(0, 10), moreDatabases: count - 10 }, '/designs': { connections: all, designs: [] } }
  return { json: (path: string) => Promise.resolve(bodies[path]) } as unknown as Instance
}

it('all connections are known, however many the status says', async () => {
  const list = await connections(instance(12))
  expect(list.map((c) => c.name)).toHaveLength(12)
  expect(list.at(-1)).toMatchObject({ name: 'db11', dialect: 'sqlite', database: 'db11.db' })
})
