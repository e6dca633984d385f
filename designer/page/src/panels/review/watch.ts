import { useEffect, useState } from 'react'
import { getReview } from '../../api/review'
import { onNotice } from '../../store/live'
import { noReview, reviewing } from '../../store/review'
import { store, useStore } from '../../store/state'
import { messageOf } from '../lib/text'
import { useLook } from '../lib/useLook'

const rest = 150 // ms without an edit until the net is read again

// useReviewCount keeps what there is to review of the design that is shown, and
// returns how many tables and types that is.
export function useReviewCount(): number {
  useLook(rest, look, useTurn('review'))
  return useStore((s) => (s.reviewing.connection === s.connection ? (s.reviewing.review?.count ?? 0) : 0))
}

async function look(connection: string, signal?: AbortSignal): Promise<void> {
  try {
    store.set({ reviewing: reviewing(connection, await getReview(connection, signal)) })
  } catch (cause) {
    if (!signal?.aborted) store.set({ reviewing: { ...noReview, connection, error: messageOf(cause) } })
  }
}

// lookAgain is look for a person who asks for it.
export function lookAgain(): Promise<void> {
  return look(store.get().connection)
}

// useTurn grows with each notice of a kind about the design that is shown, and
// when the instance is back.
export function useTurn(kind: 'review' | 'notes'): number {
  const connection = useStore((s) => s.connection)
  const [turn, setTurn] = useState(0)
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.type === 'reconnected' || (notice.type === kind && notice.connectionId === connection)) setTurn((n) => n + 1)
      }),
    [connection, kind],
  )
  return turn
}
