import { expect, it } from 'vitest'
import type { Plan } from './attachment'
import { gridPage } from './grid'
import { pageFor } from './page'
import { document, oneLine, visible, withoutLinks } from './planText'
import { addressIn, linkTo } from './linkText'
import { namesOf } from './goToText'
import { quoted } from './quoted'
import { explaining, groupBy, matching, typeOf, wordsOf } from './schema'
import { listOf, within } from './trustText'

const plan: Plan = {
  id: 'a', kind: 'query', title: 'Run this?', detail: 'DELETE FROM a', format: 'sql', cut: false, client: 'claude', expires: '2026-01-01T00:00:00Z', state: 'pending',
  connection: 'main', server: 'sqlite', database: 'app.db', statements: ['DELETE FROM a;', 'DELETE FROM b'],
}

it('a plan is one line that names project, client and substance', () => {
  expect(oneLine('shop', plan)).toBe('shop: claude wants to: Run this')
  expect(oneLine('shop', { ...plan, client: '', files: [{ path: 'a.js', before: null, after: { version: '1' } }] })).toBe('shop: an agent wants to: create a.js')
  expect(oneLine('shop', { ...plan, title: 'a\u202eb\nc?' })).toBe('shop: claude wants to: a\\u{202e}b c')
})

it('a notification has no link but the extension’s own, whatever an agent calls itself', () => {
  expect(oneLine('shop', { ...plan, client: '[Show Changes](command:x)' })).toBe('shop: [Show Changes] (command:x) wants to: Run this')
  expect(withoutLinks('[a](https://x)[b]( c)')).toBe('[a] (https://x)[b] ( c)')
})

it('a plan as SQL has its statements, and all else in comments', () => {
  const text = document('shop', plan)
  expect(text).toContain('-- connection main, database app.db on sqlite\n')
  expect(text).toContain('\n\nDELETE FROM a;\n\nDELETE FROM b;\n')
  const lead = text.slice(0, text.indexOf('\n\n'))
  expect(lead.split('\n').every((line) => line.startsWith('-- '))).toBe(true)
})

it('a title cannot end the comment that it stands in', () => {
  expect(document('shop', { ...plan, title: 'x\nDROP TABLE a' })).not.toMatch(/^DROP/m)
})

it('hidden characters are written out', () => {
  expect(visible('a\u202eb\u0000\n\t\u200b')).toBe('a\\u{202e}b\\u{0}\n\t\\u{200b}')
})

it('a plan that loses data says so, and what has to be typed', () => {
  expect(document('shop', { ...plan, nameToType: 'app.db' })).toContain('-- data is lost; approving it takes the name app.db\n')
  expect(document('shop', plan)).not.toContain('data is lost')
})

it('the page is the built one, with its files where they are and a policy', () => {
  const html = pageFor({
    html: '<html><head>\n<script type="module" src="./assets/a.js"></script><link href="./assets/a.css"></head><body></body></html>',
    base: 'https://files/page/', theme: 'https://files/t.css', source: 'https://files', nonce: 'n', root: '/a"<b>', address: '',
  })
  expect(html).toContain('src="https://files/page/assets/a.js"')
  expect(html).toContain('href="https://files/page/assets/a.css"')
  expect(html).toContain('content="/a&#34;&#60;b&#62;"')
  expect(html).toContain("default-src &#39;none&#39;; script-src https://files; ")
  expect(html).toContain('<base href="https://files/page/">') // for what the page itself adds
  expect(html).not.toContain('berth-address')
  expect(html).not.toContain('unsafe')
})

it('values of rows are text, whatever they hold', () => {
  const html = gridPage({
    reading: { root: '/p', connection: 'c', query: 'q' }, limit: 2, script: 's', style: 't', source: 'x', nonce: 'n',
    rows: { columns: [{ name: '<i>', type: 'text' }], rows: [['<script>'], [null], [3]] },
  })
  expect(html).toContain('&#60;i&#62;')
  expect(html).toContain('<td>&#60;script&#62;</td>')
  expect(html).toContain('<td class="null">NULL</td>')
  expect(html).toContain('2 rows, and there are more')
  expect(html).not.toContain('>3<')
})

it('one row is one row', () => {
  const page = gridPage({ reading: { root: '/p', connection: 'c', query: 'q' }, limit: 2, script: 's', style: 't', source: 'x', nonce: 'n', rows: { columns: [], rows: [[]] } })
  expect(page).toContain('<span role="status">1 row</span>')
})

it('names are quoted as their dialect does, where they must be', () => {
  expect([quoted('postgres', 'album'), quoted('postgres', 'Al"b'), quoted('mysql', 'a b'), quoted('mssql', 'a]b')]).toEqual(['album', '"Al""b"', '`a b`', '[a]]b]'])
  expect([quoted('postgres', 'time'), quoted('mysql', 'groups'), quoted('mssql', 'plan'), quoted('sqlite', 'plan')]).toEqual(['"time"', '`groups`', '[plan]', 'plan'])
})

it('columns and changes are said in few words', () => {
  expect(typeOf({ name: 'id', dataType: 'int', isPrimaryKey: true, isIdentity: true })).toBe('int, primary key, identity')
  expect(typeOf({ name: 'a', dataType: 'text', isNullable: false })).toBe('text, not null')
  expect(wordsOf({ kind: 'rename_column', table: { schema: 's', name: 't' }, name: 'b', was: 'a', from: 'a', to: 'b' })).toBe('rename column: b (was a)')
  expect(wordsOf({ kind: 'alter_column', table: { schema: 's', name: 't' }, name: 'a', from: 'varchar(220)', to: 'text' })).toBe('alter column: a: varchar(220) → text')
  expect(wordsOf({ kind: 'set_primary_key', table: { schema: 's', name: 't' }, from: 'no primary key', to: 'id' })).toBe('set primary key: no primary key → id')
  expect(wordsOf({ kind: 'alter_column', table: { schema: 's', name: 't' }, name: 'a', fields: ['options'] })).toBe('alter column: a: options')
  expect(wordsOf({ kind: 'add_column', table: { schema: 's', name: 't' }, name: 'a', to: 'int' })).toBe('add column: a: int')
  expect([...groupBy(['a1', 'b1', 'a2'], (s) => s.slice(0, 1))]).toEqual([['a', ['a1', 'a2']], ['b', ['b1']]])
})

it('tables are filtered by any part of their names', () => {
  const list = [{ schema: 'main', name: 'Artist' }, { schema: 'sales', name: 'album' }]
  expect(matching(list, '')).toEqual(list)
  expect(matching(list, 'ART').map((t) => t.name)).toEqual(['Artist'])
  expect(matching(list, 'sales.').map((t) => t.name)).toEqual(['album'])
})

it('a link leads to a table, whatever its name, and says nothing else', () => {
  const link = linkTo('vscode', 'berth-dev.berth', { root: '/a b/c', connection: 'main', table: 'dbo.x&y=%26ü' })
  expect(link).toMatch(/^vscode:\/\/berth-dev\.berth\/designer\?[\w-]+$/)
  const { pathname, search } = new URL(link)
  expect(addressIn(pathname, search.slice(1))).toEqual({ root: '/a b/c', address: new URLSearchParams({ connection: 'main', table: 'dbo.x&y=%26ü' }).toString() })
  expect(addressIn('/approve', search.slice(1))).toBeNull()
  expect(addressIn('/designer', 'root=/p')).toBeNull()
  expect(addressIn('/designer', Buffer.from('{"root":1}').toString('base64url'))).toBeNull()
})

it('asks are listed with where they stand, and hide nothing', () => {
  const ask = { digest: 'd', words: 'lets agents edit \u202efiles', file: '.berth/config.yaml', line: 2, trusted: false }
  expect(listOf([ask, { ...ask, detail: 'pass show db' }])).toBe(
    '• lets agents edit \\u{202e}files\n  .berth/config.yaml:2\n\n• lets agents edit \\u{202e}files\n  .berth/config.yaml:2\n  pass show db',
  )
})

it('a word of a program leads to its table', () => {
  for (const [word, table] of [['OrderItem', 'order_items'], ['users', 'users'], ['User', 'users'], ['categories', 'category'], ['Category', 'categories'], ['"boxes"', 'box'], ['OrderItem', 'orderitem']]) {
    expect(namesOf(word ?? ''), word).toContain(table)
  }
  expect(namesOf('user')).not.toContain('us')
})

it('a query is explained, and never run by that', () => {
  expect([explaining('sqlite', 'SELECT 1'), explaining('postgres', 'SELECT 1'), explaining('mssql', 'SELECT 1')]).toEqual(['EXPLAIN QUERY PLAN SELECT 1', 'EXPLAIN SELECT 1', null])
})

it('a file is said by its path in the project', () => {
  expect([within('/p', '/p/.berth/a.yaml'), within('C:\\p', 'C:\\p\\a'), within('/p', '/pq/a'), within('/p', '/home/a')]).toEqual(['.berth/a.yaml', 'a', '/pq/a', '/home/a'])
})
