import { getJson, sendJson } from './http'
import type { LintReport } from './lint'
import type { DialectInfo } from './dialect'
import type { DesignList, History, Id, Layout, Position, Project, Snapshot, Trust } from './types'

// The routes of docs/http.md below /designs and /projects, and /trust, one function each.

// design is the path of a design's route.
export function design(connection: string, rest = ''): string {
  return `/designs/${encodeURIComponent(connection)}${rest}`
}

export const listDesigns = (): Promise<DesignList> => getJson('/designs')

// NewDesign begins a design without a database; see POST /designs.
export interface NewDesign {
  name: string
  dialect: string // "": as the text says
  text: string
  dryRun: boolean
}

export interface Guess {
  format?: string
  dialect?: string
  because?: string
  line?: number
}

export interface Begun {
  connection?: string
  name: string
  dialect: string
  file: string
  guess: Guess
}

export const beginDesign = (of: NewDesign): Promise<Begun> => sendJson('POST', '/designs', of)

export const getSnapshot = (connection: string, signal?: AbortSignal): Promise<Snapshot> => getJson(design(connection), signal)

// Sight is what the instance knows of the database; see POST …/look.
export interface Sight {
  seenMs: number | null
  readMs: number | null
  problem?: string
}

export const lookAt = (connection: string, whole: boolean): Promise<Sight> => sendJson('POST', design(connection, '/look'), { whole })

export const getTypes = (connection: string): Promise<DialectInfo> => getJson(design(connection, '/types'))

export const getHistory = (connection: string, limit = 100, tables = false): Promise<History> =>
  getJson(design(connection, `/history?limit=${limit}${tables ? '&tables=true' : ''}`))

export const getLint = (connection: string, signal?: AbortSignal): Promise<LintReport> => getJson(design(connection, '/lint'), signal)

export const getLayout = (connection: string): Promise<Layout> => getJson(design(connection, '/layout'))

export const putLayout = (connection: string, positions: Record<Id, Position | null>): Promise<{ counter: number }> =>
  sendJson('PUT', design(connection, '/layout'), { positions })

// fillLayout takes a place for tables only that have none, and returns where
// the others stand.
export const fillLayout = (connection: string, positions: Record<Id, Position>): Promise<Layout> =>
  sendJson('PUT', design(connection, '/layout'), { positions, fill: true })

export const listProjects = (): Promise<{ projects: Project[] }> => getJson('/projects')

export const openProject = (projectRoot: string): Promise<{ opened: boolean }> => sendJson('POST', '/projects/open', { projectRoot })

export const getTrust = (): Promise<Trust> => getJson('/trust')

export const postTrust = (answer: { trust: string[] } | { revoke: true }): Promise<Trust> => sendJson('POST', '/trust', answer)
