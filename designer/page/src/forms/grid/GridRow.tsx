import { useId, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import type { Refusal } from '../../api/edits'
import type { TypeInfo } from '../../api/dialect'
import { FlagCell, TextCell, type Flags } from './Cell'
import { move } from './move'
import type { RowDraft } from './useRow'

interface GridRowProps {
  draft: RowDraft
  who: string // of its labels: the column's name, "the new column"
  test: string // of its test ids
  isNew: boolean
  usual?: string // the type where none is typed
  type: TypeInfo | undefined
  comments: boolean
  only: boolean // it is the whole primary key
  head: ReactNode
  tools: ReactNode
  onNext?: () => void // a new column was made: the next one
  onPaste: (event: React.ClipboardEvent) => void
}

// GridRow is one column. A row that is there makes each change as its cell is
// left, a new one all of them as the row is.
export function GridRow({ draft, who, test, isNew, usual, type, comments, only, head, tools, onNext, onPaste }: GridRowProps) {
  const { row, refusal } = draft
  const id = useId()
  const blamed = refusal ? (/(?:^|\.)(\w+)$/.exec(refusal.field ?? '')?.[1] ?? 'name') : ''
  const cell = <F extends string>(field: F, label: string) => ({ draft, field, label: `${label} of ${who}`, test: `${field}-${test}`, wrong: blamed === field ? id : undefined })
  const flag = (field: Flags, label: string, disabled = false, title?: string): ReactNode => (
    <FlagCell
      {...cell(field, label)}
      disabled={disabled}
      title={title}
      onChange={(on) => {
        const part = { [field]: on, ...(field === 'isPrimaryKey' && on ? { isNullable: false } : {}) }
        if (isNew) draft.type(part)
        else if (!draft.commit(part)) draft.forget()
      }}
    />
  )
  const leave = (event: FocusEvent<HTMLElement>): void => {
    if (!isNew || !event.currentTarget.contains(event.relatedTarget)) draft.commit()
  }
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    const last = event.key === 'Tab' && !event.shiftKey && isNew && row.name.trim() !== '' && event.target === lastField(event.currentTarget)
    if (event.key === 'Escape' && draft.typed) draft.forget()
    else if (isNew && (last || (event.key === 'Enter' && row.name.trim() !== ''))) {
      draft.commit()
      onNext?.()
    } else if (!move(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const computed = row.isIdentity ? 'An identity column has no default' : undefined
  return (
    <>
      <tr className={isNew ? 'column-row new' : 'column-row'} data-testid={`row-${test}`} onBlur={leave} onKeyDown={key} onPaste={onPaste}>
        {head}
        <TextCell {...cell('name', 'Name')} placeholder={isNew ? 'New column' : undefined} />
        <TextCell {...cell('dataType', 'Type')} placeholder={usual} />
        {flag('isPrimaryKey', 'Primary key')}
        {flag('isNullable', 'Nullable', row.isPrimaryKey, row.isPrimaryKey ? 'A primary key is never null' : undefined)}
        {flag('isUnique', 'Unique', only, only ? 'The primary key is unique already' : undefined)}
        <TextCell {...cell('defaultValue', 'Default')} placeholder={computed === undefined ? undefined : '–'} />
        {flag('isIdentity', 'Identity', type?.identity !== true && !row.isIdentity, type?.identity === true ? undefined : 'Only whole numbers count by themselves')}
        {comments && <TextCell {...cell('comment', 'Comment')} />}
        <td className="tools">{tools}</td>
      </tr>
      {refusal && <Wrong id={id} refusal={refusal} test={test} />}
    </>
  )
}

function Wrong({ id, refusal, test }: { id: string; refusal: Refusal; test: string }) {
  return (
    <tr>
      <td colSpan={10} id={id} className="wrong" role="alert" data-testid={`wrong-${test}`}>
        {refusal.message}
      </td>
    </tr>
  )
}

function lastField(row: HTMLElement): Element | undefined {
  return [...row.querySelectorAll('[data-field]:not(:disabled)')].at(-1)
}
