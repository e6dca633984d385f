import { expect, it } from 'vitest'
import type { Table } from '../api/types'
import type { Design } from '../store/design'
import { keyHabit } from './keyName'

function designOf(...keys: [table: string, key: string, type: string][]): Design {
  const tables = keys.map(([name, key, dataType]): Table => ({ id: name, schema: '', name, columns: [{ id: `${name} key`, name: key, dataType }], primaryKey: { columns: [`${name} key`] } }))
  return { tables: new Map(tables.map((t) => [t.id, t])) } as unknown as Design
}

it.each([
  [[['album', 'album_id', 'int'], ['artist', 'artist_id', 'int']], 'genre', 'genre_id'],
  [[['albums', 'album_id', 'int'], ['cities', 'city_id', 'int']], 'companies', 'company_id'],
  [[['Album', 'AlbumId', 'int'], ['Genre', 'GenreId', 'int'], ['Odd', 'Id', 'int']], 'Track', 'TrackId'],
  [[['a', 'id', 'int'], ['b', 'id', 'int']], 'c', 'id'],
  [[['a', 'Id', 'int'], ['b', 'Id', 'int']], 'c', 'Id'],
  [[], 'c', 'id'],
] as [[string, string, string][], string, string][])('a key is called as the others are: %j', (keys, table, name) => {
  expect(keyHabit(designOf(...keys), null).name(table)).toBe(name)
})

it('a key has the type that the others have, and a key that refers to another table counts for nothing', () => {
  expect(keyHabit(designOf(['a', 'id', 'uuid'], ['b', 'id', 'uuid'], ['c', 'id', 'int']), null).dataType).toBe('uuid')
  const design = designOf(['a', 'a_id', 'int'])
  const a = design.tables.get('a')
  if (a) a.foreignKeys = [{ id: 'k', mappings: [{ column: 'a key' }], onDelete: 'cascade', onUpdate: 'cascade' }]
  expect(keyHabit(design, null).name('b')).toBe('id')
})
