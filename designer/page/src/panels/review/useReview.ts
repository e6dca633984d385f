import { useEffect, useState } from 'react'
import { getHistory } from '../../api/designs'
import { Failure } from '../../api/http'
import { onNotice } from '../../store/live'
import { useStore } from '../../store/state'
import { getReview } from '../lib/api'
import { useResource } from '../lib/resource'
import { itemsOf, openCount, type Marks } from './review'

// readMarks is what was decided so far; nothing where nobody has yet.
export async function readMarks(connection: string): Promise<Marks> {
  try {
    const { review } = await getReview(connection)
    return review?.marks ?? {}
  } catch (cause) {
    if (cause instanceof Failure && cause.status === 404) return {}
    throw cause
  }
}

// useReviewTurn grows when another tab has decided something.
export function useReviewTurn(): number {
  const connection = useStore((s) => s.connection)
  const [turn, setTurn] = useState(0)
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.type === 'reconnected' || (notice.type === 'review' && notice.connectionId === connection)) setTurn((n) => n + 1)
      }),
    [connection],
  )
  return turn
}

// useOpenReviews counts the agent's changes that nobody has looked at.
export function useOpenReviews(): number {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const turn = useReviewTurn()
  const count = useResource(
    `${connection}\n${version} ${turn}`,
    async () => {
      if (!version) return 0
      const [history, marks] = await Promise.all([getHistory(connection, 200), readMarks(connection)])
      return openCount(itemsOf(history, marks))
    },
    400,
  )
  return count.data ?? 0
}
