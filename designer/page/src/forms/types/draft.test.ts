import { describe, expect, it } from 'vitest'
import type { NamedType, TypeSet } from '../../api/namedType'
import { clash } from '../../store/conflict'
import { applyEvent } from '../../store/design'
import { column, design, table } from '../../test/designs'
import { blank, blankValue, fieldsOf, isWhole, moved, typeEdits, type Fields, type Value } from './draft'
import { usersOf } from './words'

const mood: NamedType = { id: 't', schema: 'main', name: 'mood', kind: 'enum', values: [{ id: 'v1', name: 'calm' }, { id: 'v2', name: 'glad' }] }
const euro: NamedType = { id: 'd', schema: 'main', name: 'euro', kind: 'domain', domain: { base: 'numeric(10,2)', notNull: true, checks: [{ name: 'euro_check', expression: 'VALUE >= 0' }] } }
const edits = (of: NamedType, change: Partial<Fields>) => typeEdits(of.id, fieldsOf(of), { ...fieldsOf(of), ...change })
const set = (of: NamedType, what: TypeSet) => [{ op: 'set_type', type: { id: of.id }, set: what }]
const [calm, glad] = fieldsOf(mood).values as [Value, Value]
const sad: Value = { ...blankValue, name: 'sad' }

describe('the form of a type', () => {
  it('changes nothing of one that was only opened', () => {
    expect([...edits(mood, {}), ...edits(euro, {}), ...edits(mood, { values: [calm, glad, blankValue] })]).toEqual([])
  })

  it('makes an enum, without the rows that are empty', () => {
    const draft = { ...blank('enum', 'main'), name: ' size ', values: [{ ...blankValue, name: 's' }, { ...blankValue, name: 'm' }, blankValue] }
    expect(typeEdits(null, blank('enum', 'main'), draft)).toEqual([{ op: 'add_type', type: { schema: 'main', name: 'size', values: ['s', 'm'] } }])
    expect([isWhole(draft), isWhole({ ...draft, name: '' }), isWhole({ ...draft, values: [blankValue] })]).toEqual([true, false, false])
  })

  it('adds values behind the others, and renames them, without making the type again', () => {
    expect(edits(mood, { values: [calm, glad, sad] })).toEqual(set(mood, { addValues: ['sad'] }))
    expect(edits(mood, { values: [calm, { ...glad, name: 'happy' }, sad] })).toEqual(set(mood, { renameValues: { glad: 'happy' }, addValues: ['sad'] }))
    expect(edits(mood, { values: [{ ...calm, name: 'glad' }, { ...glad, name: 'calm' }] })).toEqual(set(mood, { renameValues: { calm: 'glad', glad: 'calm' } }))
  })

  it('says the whole list where values go, move or come between', () => {
    expect(edits(mood, { values: [glad] })).toEqual(set(mood, { values: ['glad'] }))
    expect(edits(mood, { values: moved([calm, glad], 1, -1) })).toEqual(set(mood, { values: ['glad', 'calm'] }))
    expect(edits(mood, { values: [calm, sad, { ...glad, name: 'happy' }] })).toEqual(set(mood, { renameValues: { glad: 'happy' }, values: ['calm', 'sad', 'happy'] }))
    expect(isWhole({ ...fieldsOf(mood), values: [{ ...calm, name: '' }, glad] })).toBe(false)
  })

  it('makes and changes a domain', () => {
    const draft = { ...blank('domain', 'main'), name: 'euro', base: 'int', notNull: true, check: 'VALUE > 0' }
    expect(typeEdits(null, blank('domain', 'main'), draft)).toEqual([{ op: 'add_type', type: { schema: 'main', name: 'euro', dataType: 'int', isNullable: false, check: 'VALUE > 0' } }])
    expect(edits(euro, { name: 'money_eur', notNull: false, default: '0', check: '' })).toEqual(set(euro, { isNullable: true, defaultValue: '0', check: '', name: 'money_eur' }))
  })

  it('leaves several checks as they are', () => {
    const checked: NamedType = { ...euro, domain: { base: 'int', checks: [{ name: 'a', expression: 'VALUE > 0' }, { name: 'b', expression: 'VALUE < 9' }] } }
    expect(edits(checked, { notNull: true })).toEqual(set(checked, { isNullable: false }))
  })
})

describe('a type of the design', () => {
  const seen = { ...design(table('p', 'person', [column('c1', 'id'), column('c2', 'feels', { dataType: 'Mood[]' })])), types: [mood] }

  it('is that of the columns which name it', () => {
    expect(usersOf(seen, mood)).toEqual(['person.feels'])
  })

  it('is not changed over what others have made of it', () => {
    const edit = { op: 'set_type' as const, type: { id: 't' }, set: { name: 'feeling' } }
    expect(clash(edit, seen, seen)).toBeNull()
    expect(clash(edit, seen, { ...seen, types: [{ ...mood, comment: 'x' }] })).toMatchObject({ what: 'type main.mood', gone: false })
    expect(clash({ op: 'drop_type', type: { id: 't' } }, seen, { ...seen, types: [] })).toMatchObject({ theirs: 'dropped', gone: true })
  })

  it('is read again with an event that changes it', () => {
    const event = { seq: 2, type: 'committed' as const, previous: 'v1', version: 'v2', tables: [] }
    expect(applyEvent(seen, { ...event, changes: { tablesUpdated: [] } })).not.toBeNull()
    expect(applyEvent(seen, { ...event, changes: { typesUpdated: [{ schema: 'main', name: 'mood' }] } })).toBeNull()
  })
})
