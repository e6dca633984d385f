import { newNonce, proves, rootHash, toBase64url, type Credential, type Health } from './proof'

// Signing in and coming back. The key lies in this origin's localStorage; it
// is sent only to an instance that has just proved itself.

// answersWithin bounds, in milliseconds, the wait for a proof: whoever has the
// port of a dead instance may take connections and say nothing.
const answersWithin = 5_000

const storageKey = 'berth.credential'

export type Standing =
  | { kind: 'ready'; credential: Credential }
  | { kind: 'signedOut'; why: string }
  | { kind: 'foreign' } // another project now has this port
  | { kind: 'offline' }

export function stored(): Credential | null {
  try {
    const text = localStorage.getItem(storageKey)
    return text ? (JSON.parse(text) as Credential) : null
  } catch {
    return null // a blocked or damaged store is no credential
  }
}

export function forget(): void {
  localStorage.removeItem(storageKey)
}

// takeCode removes the sign-in code from the address, so that it is neither
// kept in the history nor copied with the URL.
export function takeCode(): string | null {
  const params = new URLSearchParams(location.hash.slice(1))
  const code = params.get('code')
  if (code === null) return null
  params.delete('code')
  const rest = params.toString()
  history.replaceState(null, '', location.pathname + location.search + (rest ? `#${rest}` : ''))
  return code
}

// signIn trades a code for a key. The text is why it was refused.
export async function signIn(code: string): Promise<Credential | string> {
  const answer = await fetch('/signin', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const body = (await answer.json()) as Credential & { message?: string }
  if (!answer.ok) return body.message ?? 'the instance refused the code'
  const credential: Credential = { keyId: body.keyId, key: body.key, projectRoot: body.projectRoot }
  localStorage.setItem(storageKey, JSON.stringify(credential))
  return credential
}

// check asks the instance for its proof under the stored key.
export async function check(credential: Credential | null): Promise<Standing> {
  if (!credential) return { kind: 'signedOut', why: '' }
  const nonce = newNonce()
  let health: Health
  try {
    const query = new URLSearchParams({ nonce: toBase64url(nonce), key: credential.keyId })
    const answer = await fetch(`/health?${query.toString()}`, { cache: 'no-store', signal: AbortSignal.timeout(answersWithin) })
    if (!answer.ok) return { kind: 'offline' }
    health = (await answer.json()) as Health
  } catch {
    return { kind: 'offline' }
  }
  if (health.projectRootHash !== (await rootHash(credential.projectRoot))) return { kind: 'foreign' }
  if (!health.proof) return { kind: 'signedOut', why: 'This page’s key was revoked.' }
  if (!(await proves(health, nonce, credential, location.port || '80'))) return { kind: 'foreign' }
  return { kind: 'ready', credential }
}

// enter signs in with the address's code if there is one, else with the key
// of an earlier visit.
export async function enter(): Promise<Standing> {
  const code = takeCode()
  if (code === null) return check(stored())
  try {
    const got = await signIn(code)
    if (typeof got !== 'string') return { kind: 'ready', credential: got }
    const back = await check(stored()) // a reload repeats a spent code
    return back.kind === 'ready' ? back : { kind: 'signedOut', why: got }
  } catch {
    return { kind: 'offline' }
  }
}
