import { describe, expect, it } from 'vitest'
import type { Table } from '../../api/types'
import { bounds, overlaps, rectsOf } from '../../canvas/geometry'
import type { Design } from '../../store/design'
import { decode, formatOfName, formatOfText } from './formats'
import { wrapped } from './itemShapes'
import { scaleFor } from './png'
import { draw, light, placesOf } from './scene'

describe('a text to import', () => {
  it('is told by its name', () => {
    expect(formatOfName('schema.SQL')).toBe('sql')
    expect(formatOfName('a.dbml')).toBe('dbml')
    expect(formatOfName('notes.txt')).toBeNull()
  })

  it('is told by its look, comments aside', () => {
    expect(formatOfText('-- Table x {\nCREATE TABLE a (b int);')).toBe('sql')
    expect(formatOfText('// create table\nTable users {\n  id int [pk]\n}')).toBe('dbml')
    expect(formatOfText('{"tables": []}')).toBe('json')
    expect(formatOfText('model User {\n  id Int @id\n}\nenum Role {\n  A\n}')).toBe('prisma')
    expect(formatOfText('hello')).toBeNull()
  })

  it('is in UTF-16 where its mark says so', () => {
    const of = (...bytes: number[]) => decode(new Uint8Array(bytes).buffer)
    expect(of(0xff, 0xfe, 0x43, 0, 0xe9, 0)).toBe('Cé')
    expect(of(0xfe, 0xff, 0, 0x43)).toBe('C')
    expect(of(0xef, 0xbb, 0xbf, 0x43)).toBe('C')
    expect(of(0x43)).toBe('C')
  })
})

function table(id: string, name: string): Table {
  return { id, schema: 'main', name, columns: [{ id: `${id}1`, name: 'Id', dataType: 'int' }], primaryKey: { columns: [`${id}1`] } }
}

const hostile = '</text><script>alert(1)</script>&"\u0001'
const tables = [table('a', hostile), { ...table('b', 'B'), foreignKeys: [{ id: 'k', refTable: 'a', mappings: [{ column: 'b1', refColumn: 'a1' }], onDelete: 'cascade' as const, onUpdate: 'no_action' as const }] }, table('c', 'C')]
const design = { name: hostile, defaultSchema: 'main', tables: new Map(tables.map((t) => [t.id, t])) } as unknown as Design

describe('the picture', () => {
  it('is well-formed, whatever tables are called', () => {
    const { svg } = draw(design, { a: { x: 0, y: 0 }, b: { x: 500, y: 0 } }, light)
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    expect(parsed.querySelector('script')).toBeNull()
    expect(svg).not.toMatch(/<script|NaN|undefined/)
    expect(svg).not.toContain('\u0001')
    expect(svg).toContain('&lt;script&gt;')
  })

  it('has every table, those without a place below the others', () => {
    const places = placesOf(tables, { a: { x: 0, y: 0 }, b: { x: 500, y: 40 } })
    const rects = rectsOf(tables, places)
    expect(rects).toHaveLength(3)
    for (const r of rects) for (const other of rects) expect(r === other || !overlaps(r, other)).toBe(true)
    expect(bounds(rects)?.height).toBeGreaterThan(100)
  })

  it('shows areas behind the tables and notes before them, whatever is written there', () => {
    const at = { colour: 'green' as const, x: 900, y: -60, width: 120, height: 70 }
    const items = { n: { ...at, kind: 'note' as const, text: `${hostile}\n${'long words '.repeat(40)}` }, a: { ...at, kind: 'area' as const, text: hostile } }
    const drawing = draw(design, { a: { x: 0, y: 0 }, b: { x: 500, y: 0 } }, light, items)
    const parsed = new DOMParser().parseFromString(drawing.svg, 'image/svg+xml')
    expect(parsed.querySelector('script')).toBeNull()
    expect(drawing.svg).not.toMatch(/<script|NaN|undefined/)
    const [area, note] = [drawing.svg.indexOf('fill-opacity="0.11"'), drawing.svg.indexOf('fill-opacity="0.14"')]
    expect(area).toBeGreaterThan(0)
    expect(area).toBeLessThan(drawing.svg.indexOf('<path d="M'))
    expect(note).toBeGreaterThan(drawing.svg.lastIndexOf('<path d="M'))
    expect(drawing.width).toBeGreaterThan(1_000) // they are part of the frame
    expect(drawing.svg).toContain('…')
    expect(wrapped('one two three', 50)).toEqual(['one ', 'two ', 'three'])
  })

  it('is of a size that browsers can draw', () => {
    expect(scaleFor({ width: 800, height: 600 })).toBe(2)
    const scale = scaleFor({ width: 40_000, height: 30_000 })
    expect(40_000 * scale).toBeLessThanOrEqual(16_000)
    expect(40_000 * scale * 30_000 * scale).toBeLessThanOrEqual(120_000_001)
  })
})
