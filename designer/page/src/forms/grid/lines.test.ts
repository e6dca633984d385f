import { expect, it } from 'vitest'
import { lineOf, rowsIn } from './lines'
import { blankRow } from './row'

it('lines of a CREATE TABLE are columns, with what follows their type', () => {
  const rows = rowsIn(`CREATE TABLE orders (
    id integer generated always as identity primary key,
    "Customer Id" varchar(20) NOT NULL UNIQUE,
    price numeric(10,2) DEFAULT 0.00, -- without tax
    placed_at timestamp with time zone not null default now(),
    state text default 'it''s, open' comment 'where it is',
    PRIMARY KEY (id)
  );`)
  expect(rows).toEqual([
    { ...blankRow, name: 'id', dataType: 'integer', isIdentity: true, isPrimaryKey: true, isNullable: false },
    { ...blankRow, name: 'Customer Id', dataType: 'varchar(20)', isNullable: false, isUnique: true },
    { ...blankRow, name: 'price', dataType: 'numeric(10,2)', defaultValue: '0.00' },
    { ...blankRow, name: 'placed_at', dataType: 'timestamp with time zone', isNullable: false, defaultValue: 'now()' },
    { ...blankRow, name: 'state', dataType: 'text', defaultValue: "'it''s, open'", comment: 'where it is' },
  ])
})

it('lines of DBML and of a spreadsheet are columns', () => {
  expect(rowsIn("id int [pk, increment]\nmail varchar(80) [not null, unique, default: 'x', note: 'their own']")).toEqual([
    { ...blankRow, name: 'id', dataType: 'int', isPrimaryKey: true, isNullable: false, isIdentity: true },
    { ...blankRow, name: 'mail', dataType: 'varchar(80)', isNullable: false, isUnique: true, defaultValue: "'x'", comment: 'their own' },
  ])
  expect(rowsIn('a\ttext\r\nb\tint\tnot null')).toEqual([
    { ...blankRow, name: 'a', dataType: 'text' },
    { ...blankRow, name: 'b', dataType: 'int', isNullable: false },
  ])
})

it('names alone are columns of the usual type, in whatever quotes', () => {
  expect(rowsIn('first_name\n`last name`,\n[Mail]').map((r) => [r.name, r.dataType])).toEqual([['first_name', ''], ['last name', ''], ['Mail', '']])
})

it('what is copied is read again as it was', () => {
  const row = { ...blankRow, name: 'Mail To', dataType: 'varchar(80)', isNullable: false, isUnique: true, defaultValue: "'x'", comment: "it's theirs" }
  expect(rowsIn(lineOf(row))).toEqual([row])
})
