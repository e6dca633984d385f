import { watched } from './answering'
import { home } from './home'
import type { Credential } from './proof'

// Fetching with the page key. Offline, signed out and refused are three
// different errors, because the page says three different things.

export class Failure extends Error {
  constructor(
    readonly code: string, // the wire's closed list, see docs/http.md
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

export class Offline extends Error {
  constructor() {
    super('the instance cannot be reached')
  }
}

let credential: Credential | null = null
let lost: () => void = () => undefined

// authorize sets the key that requests carry; null: none is sent.
export function authorize(next: Credential | null): void {
  credential = next
}

export function projectRoot(): string {
  return credential?.projectRoot ?? ''
}

// onLost is called when a request got no answer or its key was unknown: then
// the instance may have been started again, and has other keys.
export function onLost(listener: typeof lost): void {
  lost = listener
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  keepalive?: boolean // it is sent though the page is closed meanwhile
}

// send returns the answer of the instance if it is a success, or a 304.
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  if (!credential) throw new Offline()
  const headers: Record<string, string> = { ...options.headers, Authorization: `Bearer ${credential.keyId}.${credential.key}` }
  const init: RequestInit = { method: options.method ?? 'GET', headers, signal: options.signal ?? null, cache: 'no-store' }
  if (options.keepalive) init.keepalive = true
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(options.body)
  }
  let answer: Response
  try {
    answer = await watched(home.request(path, init))
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    lost()
    throw new Offline()
  }
  if (answer.ok || answer.status === 304) return answer
  const failure = await readFailure(answer)
  if (failure.code === 'shutting_down' || failure.status === 401) {
    lost() // nothing was done; whoever comes after it is asked again
    throw new Offline()
  }
  throw failure
}

async function readFailure(answer: Response): Promise<Failure> {
  try {
    const body = (await answer.json()) as { message?: string; error?: string }
    return new Failure(body.error ?? 'internal', body.message ?? answer.statusText, answer.status)
  } catch {
    return new Failure('internal', answer.statusText || 'the instance failed', answer.status)
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await send(path, { signal })
  return (await answer.json()) as T
}

export async function sendJson<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await send(path, { method, body, signal })
  return (await answer.json()) as T
}
