import type { Review, ReviewedTable } from '../api/review'
import type { Id } from '../api/types'

// What there is to review, for its panel and for the marks on the canvas.
export interface Reviewing {
  connection: string // that was looked at; '': none yet
  review: Review | null
  error: string // why there is none; '': no error
  tables: ReadonlyMap<Id, ReviewedTable>
}

export const noReview: Reviewing = { connection: '', review: null, error: '', tables: new Map() }

export function reviewing(connection: string, review: Review): Reviewing {
  return { connection, review, error: '', tables: new Map(review.tables.map((t) => [t.id, t])) }
}
