import { design } from './designs'
import { getJson, sendJson } from './http'
import type { Items } from './items'
import type { Id, Position } from './types'

// SavedView is a named set of tables with a layout of its own. Some of its tables
// may be none of the design's now.
export interface SavedView {
  id: string
  name: string
  tables: Readonly<Record<Id, Position>>
  items?: Items // the areas and notes among them
}

export const getViews = (connection: string): Promise<{ views: SavedView[] }> => getJson(design(connection, '/saved-views'))

// ViewChange is a new view, or a change of the one that id names; see PUT …/saved-views.
export type ViewChange = { id?: string; name?: string; tables?: SavedView['tables']; items?: Items } | { id: string; remove: true }

export const putView = (connection: string, change: ViewChange): Promise<{ id: string }> => sendJson('PUT', design(connection, '/saved-views'), change)
