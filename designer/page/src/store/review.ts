import type { Review, ReviewedTable } from '../api/review'
import type { Id, Table } from '../api/types'

// What there is to review, for its panel and for the marks on the canvas.
export interface Reviewing {
  connection: string // that was looked at; '': none yet
  review: Review | null
  error: string // why there is none; '': no error
  tables: ReadonlyMap<Id, ReviewedTable>
  dropped: readonly Table[] // as they were
}

export const noReview: Reviewing = { connection: '', review: null, error: '', tables: new Map(), dropped: [] }

export function reviewing(connection: string, review: Review): Reviewing {
  return { connection, review, error: '', tables: new Map(review.tables.map((t) => [t.id, t])), dropped: review.tables.flatMap((t) => (t.before && !t.after ? [t.before] : [])) }
}
