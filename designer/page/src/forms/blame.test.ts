import { expect, it } from 'vitest'
import type { Refusal } from '../api/edits'
import { blame } from './blame'

const refusal = (field?: string): Refusal => ({ success: false, reason: 'validation_error', message: 'no', ...(field === undefined ? {} : { field }) })

it('a refusal is told at the field that the instance names, and nowhere else', () => {
  for (const [path, member] of [
    ['set.dataType', 'dataType'],
    ['column.maxLength', 'maxLength'],
    ['table.name', 'name'],
    ['foreignKey.mappings[1].column', 'mappings'],
    ['index.columns[0]', 'columns'],
    ['initialColumns[0].name', 'initialColumns'],
  ] as const) {
    const { at, rest } = blame(refusal(path), ['name', 'dataType', 'maxLength', 'mappings', 'columns', 'initialColumns'])
    expect(at(member), path).toBe('no')
    if (member !== 'name') expect(at('name'), path).toBeUndefined()
    expect(rest, path).toBeUndefined()
  }
})

it('what no field that is shown is to blame for is told below them all', () => {
  for (const path of [undefined, 'table', 'set.isNullable']) {
    const { at, rest } = blame(refusal(path), ['name', 'dataType'])
    expect(at('name')).toBeUndefined()
    expect(rest).toBe('no')
  }
})

it('where nothing is refused nothing is told', () => {
  const { at, rest } = blame(null, ['name'])
  expect([at('name'), rest]).toEqual([undefined, undefined])
})
