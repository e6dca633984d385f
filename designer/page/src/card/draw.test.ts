import { describe, expect, it } from 'vitest'
import { counted, replyOf, shownBy, sign, takenBack, visible, type Change, type Diagram, type Plan } from './change'
import { drawDiagram, drawLines, lanes } from './diagram'
import { drawChange, drawPlan, drawReply } from './draw'

const change: Change = {
  kind: 'change',
  did: 'apply_edits',
  connection: 'shop',
  database: 'shop.db',
  version: 'v2',
  edits: 2,
  nonce: 'n',
  tables: [
    { name: 'main.customer', does: 'changed', lines: [{ kind: 'alter_column', name: 'email', from: 'varchar(80)', to: 'varchar(200)' }, { kind: 'drop_column', name: 'fax', from: 'text' }], more: 3 },
    { name: 'main.invoice', does: 'added', lines: [{ kind: 'add_table', to: 'id, customer_id' }] },
  ],
  more: 2,
  warnings: ['data may be lost'],
}

const text = (parts: HTMLElement[]): string => parts.map((p) => p.textContent).join(' | ')

describe('a change card', () => {
  it('shows each table with what was and is, and says what is not listed', () => {
    expect(text(drawChange(change))).toBe(
      '2 editsto the design of shopnot published | changedmain.customer~columnemailvarchar(80)→varchar(200)−columnfaxtextand 3 more | ' +
        'addedmain.invoice+columnsid, customer_id | and 2 more tables | data may be lost',
    )
  })
  it('shows names as text, whatever is in them', () => {
    const [, table] = drawChange({ ...change, tables: [{ name: '<img src=x onerror=alert(1)>', does: 'added' }] })
    expect(table?.querySelector('img')).toBeNull()
    expect(table?.textContent).toContain('<img src=x')
  })
  it('says what else than edits was done', () => {
    expect(text(drawChange({ ...change, did: 'undo', tables: [], more: 0, warnings: [] }))).toBe('2 edits undonein the design of shopnot published')
    expect(text(drawChange({ ...change, did: 'import', edits: 1, tables: [], more: 0, warnings: [] }))).toContain('1 fileimported into')
    expect(takenBack({ ...change, did: 'undo' })).toContain('again')
  })
  it('shows characters that hide or turn others, and no text without end', () => {
    const [, table] = drawChange({ ...change, tables: [{ name: 'a\u202egnp.exe\u200b\u0007', does: 'added' }] })
    expect(table?.textContent).toContain('a\\u{202e}gnp.exe\\u{200b}\\u{7}')
    expect(visible('é🚢'.repeat(10_000)).length).toBeLessThan(400)
    expect(visible('🚢'.repeat(500))).toMatch(/^🚢+…$/u)
    expect(visible('שלום')).toBe('שלום')
  })
  it('is found in the data of the view alone', () => {
    expect(shownBy({ 'io.github.berth-dev/view': change })).toBe(change)
    expect(shownBy(undefined)).toBeNull()
    expect(shownBy({ other: change })).toBeNull()
  })
})

describe('a diagram', () => {
  const d: Diagram = {
    tables: [
      { name: 'main.purchase', does: 'changed', columns: [{ name: 'id', type: 'int', key: true }, { name: 'sum', type: 'numeric(9,2)', was: 'int', does: 'changed' }, { name: 'fax', type: 'text', does: 'dropped' }], more: 4 },
      { name: 'main.customer', columns: [{ name: 'id', type: 'int', key: true }] },
      { name: 'main.line' },
    ],
    relations: [{ from: 0, to: 1, does: 'added' }, { from: 2, to: 0 }],
  }
  it('has what a table refers to on its left and what refers to it on its right', () => {
    expect(lanes(d)).toEqual([[1], [0], [2]])
  })
  it('marks what comes, goes and changes, as it was and is', () => {
    const figure = drawDiagram(d)
    expect([...figure.querySelectorAll('.box')].map((b) => b.textContent)).toEqual([
      'main.customeridint', '~ main.purchaseidint~sumint→numeric(9,2)−faxtextand 4 more', 'main.line'])
    expect([...figure.querySelectorAll('.said li')].map((l) => l.textContent)).toEqual([
      'main.purchase refers to main.customer (added)', 'main.line refers to main.purchase'])
  })
  it('draws each line once, however often it is fitted', () => {
    const figure = drawDiagram(d)
    drawLines(figure, d)
    drawLines(figure, d)
    expect([...figure.querySelectorAll('svg path')].map((p) => p.getAttribute('class'))).toEqual(['added', ''])
  })
})

describe('a plan', () => {
  const plan: Plan = { ...change, kind: 'plan', steps: 3, warnings: ['data loss'], notes: ['rebuilt'] }
  it('shows how much, what, and what it risks', () => {
    const shown = text(drawPlan(plan))
    expect(shown).toMatch(/^4 tables to publish \| 3 statements for shop \| changedmain.customer/)
    expect(shown).toMatch(/\| data loss \| rebuilt$/)
    expect(text(drawPlan({ ...plan, message: 'tried' }))).toMatch(/^tried \|/)
  })
})

describe('a reply without a card', () => {
  it('says what was refused', () => {
    expect(text(drawReply(replyOf('{"success":false,"message":"no such table"}'), true))).toBe('no such table')
  })
  it('says its message', () => {
    expect(text(drawReply(replyOf('{"success":true,"message":"no changes"}'), false))).toBe('no changes')
  })
  it('is nothing where there is nothing to see', () => {
    expect(drawReply(replyOf('{"success":true,"tables":[]}'), false)).toEqual([])
    expect(replyOf('no JSON')).toBeNull()
  })
})

it('signs and counts', () => {
  expect([sign('add_index'), sign('drop_check'), sign('alter_column')]).toEqual(['+', '−', '~'])
  expect([counted(1, 'edit'), counted(2000, 'edit')]).toEqual(['1 edit', '2,000 edits'])
})
