import type { ReviewedType } from '../../api/review'
import { titleOf } from '../../store/design'
import { useStore } from '../../store/state'
import { typeParts, typeText } from './net'
import { NetCard } from './NetCard'

// TypeCard is the net change of a type of the database's own, which is settled
// as a whole.
export function TypeCard({ type }: { type: ReviewedType }) {
  const { id, before, after, last } = type
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const one = after ?? before
  if (!one) return null
  return (
    <NetCard
      kind="Type"
      at={`/${id}`}
      title={titleOf({ defaultSchema }, one)}
      tone={before ? (after ? 'change' : 'drop') : 'add'}
      last={last}
      parts={before && after ? typeParts(before, after) : []}
      testId="review-type"
      {...(!(before && after) && { summary: typeText(one) })}
    />
  )
}
