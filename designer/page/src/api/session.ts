import { unfit } from './address'
import { home } from './home'
import { sendJson } from './http'
import { keyOfRun, newNonce, proves, toBase64url, type Credential, type Health, type Memory } from './proof'
import { endWorkers } from './worker'

// Signing in and coming back. This origin's localStorage has a key that is
// valid for one run of the instance: a program that takes the port after it can
// read the storage. The page of a project on another machine stores none, since
// its port here is one that any program may have next. The secret that lets this tab follow a restart is in its
// memory only. Neither is sent to, or worked out for, anyone who has not just
// proved to be the instance.

// answersWithin bounds, in milliseconds, the wait for a proof: whoever has the
// port of a dead instance may take connections and say nothing.
const answersWithin = 5_000

const storageKey = 'berth.credential'

export type Standing =
  | { kind: 'ready'; credential: Credential }
  | { kind: 'signedOut'; why: string }
  | { kind: 'foreign' } // another project now has this port
  | { kind: 'controlled' } // by a service worker, which is none of ours
  | { kind: 'shared' | 'insecure' } // the address is one at which the page is not shown
  | { kind: 'offline' }

const revoked = 'This page’s key was revoked.'
const ended = 'The instance has been started again since this browser signed in. A page that is loaded after that signs in again.'

let held: Credential | null = null // what this tab signed in with, or found in storage
let memory: Memory | null = null

function stored(): Credential | null {
  try {
    const found = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Credential> | null
    const { keyId, key, projectRoot, projectRootHash } = found ?? {}
    return keyId && key && projectRoot && projectRootHash ? { keyId, key, projectRoot, projectRootHash } : null
  } catch {
    return null // a blocked or damaged store is no credential
  }
}

function hold(credential: Credential): Standing {
  held = credential
  return { kind: 'ready', credential }
}

// store keeps what a person signed in with, for tabs that a link opens in this
// run. A tab that follows a restart stores nothing: in another tab there may
// still be a page of whoever had the port meanwhile, which reads along.
function store(credential: Credential): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(credential))
  } catch {
    // a blocked store: this tab alone is signed in
  }
}

// forget gives the key up, in storage only where it is this tab's.
export function forget(): void {
  if (stored()?.key === held?.key) localStorage.removeItem(storageKey)
  held = memory = null
}

// takeCode removes the sign-in code from the address, so that it is neither
// kept in the history nor copied with the URL.
function takeCode(): string | null {
  const params = new URLSearchParams(home.address())
  const code = params.get('code')
  if (code === null) return null
  params.delete('code')
  history.replaceState(null, '', location.pathname + (params.size > 0 ? `#${params.toString()}` : ''))
  return code
}

// SignedIn is what a code was traded for.
interface SignedIn {
  credential: Credential
  tabOnly: boolean // nothing of it may be stored
}

// signIn trades a code for a key. The text is why it was refused.
async function signIn(code: string): Promise<SignedIn | string> {
  const answer = await home.request('/signin', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const body = (await answer.json()) as Credential & Memory & { message?: string; tabOnly?: boolean }
  if (!answer.ok) return body.message ?? 'the instance refused the code'
  const { keyId, key, resume, projectRoot, projectRootHash, tabOnly } = body
  memory = { keyId, resume, projectRoot, projectRootHash }
  return { credential: { keyId, key, projectRoot, projectRootHash }, tabOnly: tabOnly ?? false }
}

// remember gets what lets a tab that found its key in storage follow a
// restart. Without it the tab signs in again after one.
export async function remember({ keyId, projectRoot, projectRootHash }: Credential): Promise<void> {
  if (home.standing || memory?.keyId === keyId) return
  const { resume } = await sendJson<{ resume: string }>('POST', '/signin/resume')
  memory = { keyId, resume, projectRoot, projectRootHash }
}

// check asks the instance for its proof, or whoever holds this page's key.
async function check(credential: Credential | null): Promise<Standing> {
  if (home.standing) {
    const given = await home.standing()
    return given ? hold(given) : { kind: 'offline' }
  }
  if (!credential) return { kind: 'signedOut', why: '' }
  const nonce = newNonce()
  let health: Health
  try {
    const query = new URLSearchParams({ nonce: toBase64url(nonce), key: credential.keyId })
    const answer = await home.request(`/health?${query.toString()}`, { cache: 'no-store', signal: AbortSignal.timeout(answersWithin) })
    if (!answer.ok) return { kind: 'offline' }
    health = (await answer.json()) as Health
  } catch {
    return { kind: 'offline' }
  }
  if (health.projectRootHash !== credential.projectRootHash) return { kind: 'foreign' }
  if (!health.proof) return { kind: 'signedOut', why: revoked }
  return proved(health, nonce, credential)
}

async function proved(health: Health, nonce: Uint8Array, credential: Credential): Promise<Standing> {
  const port = location.port || '80'
  if (memory?.keyId === credential.keyId) {
    const key = await keyOfRun(health, nonce, memory, port)
    return key === null ? { kind: 'foreign' } : hold({ ...credential, key })
  }
  return (await proves(health, nonce, credential, port)) ? hold(credential) : { kind: 'signedOut', why: ended }
}

// enter signs in with the address's code if there is one, else with the key
// of an earlier visit in the same run of the instance.
export async function enter(): Promise<Standing> {
  if (home.standing) return check(null)
  const why = unfit(location.pathname, isSecureContext)
  if (why) return { kind: why }
  if (await endWorkers()) return { kind: 'controlled' } // with the code still in the address
  const code = takeCode()
  held = stored()
  if (code === null) return check(held)
  try {
    const got = await signIn(code)
    if (typeof got !== 'string') {
      if (!got.tabOnly) store(got.credential)
      return hold(got.credential)
    }
    const back = await check(held) // a reload repeats a spent code
    return back.kind === 'ready' ? back : { kind: 'signedOut', why: got }
  } catch {
    return { kind: 'offline' }
  }
}

// askToSignIn has the instance open this person's browser, signed in. Nothing
// that signs in comes back to this page. The text is why it was refused.
export async function askToSignIn(): Promise<string | null> {
  try {
    const answer = await home.request('/signin/open', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      cache: 'no-store',
    })
    if (answer.ok) return null
    const body = (await answer.json()) as { message?: string }
    return body.message ?? 'the instance refused'
  } catch {
    return 'Nothing answers on this port.'
  }
}

// onSignedIn calls back when another tab of this browser has signed in. It
// returns a function that unsubscribes.
export function onSignedIn(listener: () => void): () => void {
  const hear = (event: StorageEvent): void => {
    if (event.key === storageKey && event.newValue !== null) listener()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

// again asks once more, after the connection or the key was lost.
export function again(): Promise<Standing> {
  return check(held)
}
