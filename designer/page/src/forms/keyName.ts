import type { DialectInfo } from '../api/dialect'
import type { Table } from '../api/types'
import { columnById, typeOf, type Design } from '../store/design'
import { single } from '../store/names'

// How keys are called in a schema: what a new table's would be.

const styles: ((table: string) => string)[] = [
  (t) => `${t}_id`,
  (t) => `${single(t)}_id`,
  (t) => `${t}Id`,
  (t) => `${single(t)}Id`,
  (t) => `${t}ID`,
  (t) => `${single(t)}ID`,
  (t) => `${t}_ID`,
  (t) => `id_${t}`,
  (t) => `id_${single(t)}`,
]

export interface KeyHabit {
  name: (table: string) => string
  dataType: string | null // null: as the dialect counts
}

// keyHabit is how most tables of a design have their key, those of one column
// that refers to nothing counted.
export function keyHabit(design: Design | null, dialect: DialectInfo | null): KeyHabit {
  const names = new Map<string, { count: number; name: (table: string) => string }>()
  const types = new Map<string, number>()
  const vote = (key: string, name: (table: string) => string): void => void names.set(key, { count: (names.get(key)?.count ?? 0) + 1, name })
  for (const table of design?.tables.values() ?? []) {
    const key = ownKey(table)
    if (!key) continue
    const at = styles.findIndex((style) => style(table.name) === key.name)
    if (at >= 0) vote(String(at), styles[at] ?? (() => key.name))
    else if (/^(id|uuid|guid|key|code)$/i.test(key.name)) vote(`= ${key.name}`, () => key.name)
    types.set(typeOf(key), (types.get(typeOf(key)) ?? 0) + 1)
  }
  const usual = dialect?.dialect === 'mssql' ? 'Id' : 'id'
  const most = [...names.values()].sort((a, b) => b.count - a.count)[0]
  const type = [...types].sort(([, a], [, b]) => b - a)[0]
  return { name: (table) => most?.name(table) ?? usual, dataType: type?.[0] ?? null }
}

function ownKey(table: Table): ReturnType<typeof columnById> {
  const [id, more] = table.primaryKey?.columns ?? []
  const refers = table.foreignKeys?.some((k) => k.mappings.some((m) => m.column === id))
  return id === undefined || more !== undefined || refers ? undefined : columnById(table, id)
}
