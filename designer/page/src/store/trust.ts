import { getTrust, postTrust } from '../api/designs'
import { home } from '../api/home'
import { Failure } from '../api/http'
import type { Notice } from '../api/notices'
import type { Ask, Trust } from '../api/types'
import { createStore } from './store'
import { closeToast, toast } from './toasts'

// What the project's own files ask of the person, and what the person answers.

export const trust = createStore<{
  now: Trust | null // as the instance has it; null: not read yet
  asking: readonly Ask[] // what the dialog shows before it is allowed
  answers: number // how often the dialog was answered
}>({ now: null, asking: [], answers: 0 })

export const waiting = (now: Trust | null): Ask[] => now?.asks.filter((ask) => !ask.trusted) ?? []
export const trusted = (now: Trust | null): Ask[] => now?.asks.filter((ask) => ask.trusted) ?? []

let latest = 0

// follow takes the list of a request, unless a later one was sent meanwhile.
async function follow(request: Promise<Trust>): Promise<Trust> {
  const mine = ++latest
  const now = await request
  if (mine === latest) trust.set({ now })
  return now
}

// readTrust reads the list. Without an answer the old one stands: what waits
// is left out by the instance, not by the page.
export async function readTrust(): Promise<void> {
  await follow(getTrust()).catch(() => undefined)
}

// sayTrust says in passing what has changed. What waits is asked by an editor
// around the page too, and would be said twice.
export function sayTrust({ lines = [], waits = [] }: Extract<Notice, { type: 'trust' }>): void {
  for (const line of home.announces ? lines : [...lines, ...waits]) toast('warn', line)
}

export function askToAllow(asking: readonly Ask[]): void {
  trust.set({ asking })
}

let refused = 0 // the toast that says so

// answerAsking allows exactly what the dialog showed, or nothing. The instance
// refuses all of it where one line is not asked as it was shown.
export async function answerAsking(yes: boolean): Promise<void> {
  const { asking, answers } = trust.get()
  trust.set({ asking: [], answers: answers + 1 })
  if (!yes || asking.length === 0) return
  closeToast(refused)
  try {
    await follow(postTrust({ trust: asking.map((ask) => ask.digest) }))
    toast('good', 'Allowed. It is in force in a moment; under Approvals you can take it back.')
  } catch (cause) {
    refused = toast('bad', refusal(cause))
    await readTrust()
  }
}

function refusal(cause: unknown): string {
  if (cause instanceof Failure && cause.code === 'invalid_request')
    return 'Nothing was allowed: the project’s files have changed since you looked, and ask something else now. Look at the list again.'
  return `Nothing was allowed: ${cause instanceof Error ? cause.message : String(cause)}`
}

// revoke takes back all that was allowed of the project.
export async function revoke(): Promise<void> {
  try {
    const now = await follow(postTrust({ revoke: true }))
    if (trusted(now).length === 0) toast('good', 'Taken back. It is out of force in a moment.')
    else toast('warn', 'Your own config.yaml still allows it, by its setting trust: change it there.', { sticky: true })
  } catch (cause) {
    toast('bad', `Nothing was taken back: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

// place is where an ask stands, the file below the project where it is there.
export function place(ask: Pick<Ask, 'file' | 'line'>, root: string): string {
  const rest = ask.file.startsWith(root) ? ask.file.slice(root.length) : ''
  const file = /^[\\/]./.test(rest) ? rest.slice(1) : ask.file
  return ask.line ? `${file}:${ask.line}` : file
}
