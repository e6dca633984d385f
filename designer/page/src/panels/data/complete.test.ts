import { describe, expect, it } from 'vitest'
import { complete, quoted, type Names } from './complete'

const names: Names = {
  tables: [
    { schema: 'public', name: 'album', columns: ['album_id', 'title', 'artist_id'] },
    { schema: 'public', name: 'artist', columns: ['artist_id', 'Full Name'] },
    { schema: 'log', name: 'visit', columns: ['at'] },
  ],
  defaultSchema: 'public',
  dialect: 'postgres',
}
// at completes where the bar stands.
const at = (text: string): string[] => complete(text.replace('|', ''), text.indexOf('|'), names)?.suggestions.map((s) => s.text) ?? []

describe('what may be meant', () => {
  it('are tables, with a schema where they need one, and words', () => {
    expect(at('SELECT * FROM al|')).toEqual(['album'])
    expect(at('SELECT * FROM vis|')).toEqual(['log.visit'])
    expect(at('sel|')).toEqual(['SELECT'])
  })

  it('are columns of the tables that the query names, first', () => {
    expect(at('SELECT ti| FROM album')).toEqual(['title', 'artist_id', 'artist'])
    expect(at('SELECT ti| FROM visit')).toEqual(['artist'])
    expect(at('SELECT ar| FROM album')[0]).toBe('artist_id')
  })

  it('are the columns of a table or an alias behind its point', () => {
    expect(at('SELECT a.| FROM artist AS a')).toEqual(['artist_id', '"Full Name"'])
    expect(at('SELECT b.ti| FROM artist a JOIN public.album b ON true')).toEqual(['title', 'artist_id'])
    expect(at('SELECT album.| FROM album')).toEqual(['album_id', 'title', 'artist_id'])
    expect(at('SELECT * FROM log.|')).toEqual(['visit'])
    expect(at('SELECT nothing.| FROM album')).toEqual([])
  })

  it('is nothing in a text or a comment, and nothing that stands there already', () => {
    expect(at("SELECT * FROM album WHERE title = 'al|")).toEqual([])
    expect(at('SELECT 1 -- al|')).toEqual([])
    expect(at('SELECT |')).toEqual([])
    expect(at('SELECT * FROM log.visit|')).toEqual([])
  })

  it('begins where what was typed of it begins', () => {
    expect(complete('SELECT a.ti', 11, names)).toBeNull()
    expect(complete('SELECT ti FROM album', 9, names)?.from).toBe(7)
  })
})

it('a name is quoted where the server would read another', () => {
  expect(quoted('album', 'postgres')).toBe('album')
  expect(quoted('Album', 'postgres')).toBe('"Album"')
  expect(quoted('Album', 'mssql')).toBe('Album')
  expect(quoted('order', 'mysql')).toBe('`order`')
  expect(quoted('c`]"', 'mssql')).toBe('[c`]]"]')
  expect(quoted('c`]"', 'mysql')).toBe('`c``]"`')
  expect(quoted('c`]"', 'sqlite')).toBe('"c`]"""')
})
