import type { NamedType } from '../../api/namedType'
import type { Id } from '../../api/types'
import { useStore } from '../../store/state'
import { useHeld } from '../useHeld'
import { useSaving } from '../useSaving'
import { useTry } from '../useTry'
import { blank, fieldsOf, isWhole, typeEdits, type Fields } from './draft'

// useTypeDraft is the draft of a type, with what the instance says of it.
export function useTypeDraft(id: Id | null, type: NamedType | null, onDone: (made: Fields) => void) {
  const kind = useStore((s) => s.dialect?.namedTypes?.[0] ?? 'enum')
  const schema = useStore((s) => s.design?.defaultSchema ?? '')
  const form = useHeld<Fields>(() => blank(kind, schema), type && fieldsOf(type))
  const { before, draft } = form
  const dropped = id !== null && type === null
  const possible = isWhole(draft) && form.both.length === 0 && !dropped
  const edits = possible ? typeEdits(id, before, draft) : []
  const trial = useTry(edits)
  const saving = useSaving(edits, form.save, () => onDone(draft))
  return {
    form,
    dropped,
    possible,
    edits,
    refusal: saving.refused ?? trial.refusal,
    warnings: trial.warnings,
    make: saving.make,
    submit: saving.submit,
    change: (part: Partial<Fields>): void => {
      form.change(part)
      saving.forget()
    },
  }
}
