// Whether the process behind this address is the instance that gave us our
// key: checked before the key is sent, since anything may take a dead
// instance's port. See docs/http.md, "Is this still my instance?".

const label = 'berth identity v1'
const resumeLabel = 'berth resume v1'
const keyLabel = 'berth page key v1'

export interface Health {
  name: string
  version: string
  projectRootHash: string
  proof?: string
  run?: string // of the instance, base64url
  resumed?: string // the proof for a page that has no key of this run
}

// SignIn is the common part of what a page knows about its sign-in.
export interface SignIn {
  keyId: string
  projectRoot: string
  projectRootHash: string // as /health names the project
}

// Credential is valid for one run of the instance and may be kept in storage.
export interface Credential extends SignIn {
  key: string // 32 bytes, base64url
}

// Memory outlives a run. It is never stored, because a program that has the
// port next could read it.
export interface Memory extends SignIn {
  resume: string // 32 bytes, base64url
}

export function newNonce(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32))
}

export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (const b of bytes) text += String.fromCharCode(b)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(raw.length)
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i)
  return bytes
}

// proves reports whether health answers nonce as only our instance can. When
// in doubt, it does not.
export async function proves(health: Health, nonce: Uint8Array, own: Credential, port: string): Promise<boolean> {
  if (!health.proof) return false
  try {
    const secret = await crypto.subtle.digest('SHA-256', fromBase64url(own.key))
    return await verify(secret, fromBase64url(health.proof), [bytes(label), nonce, bytes(own.projectRoot), bytes(port)])
  } catch {
    return false
  }
}

// keyOfRun is the page key of the run that health says it is, if health proves
// to know the secret of the sign-in; else null. The secret itself is sent to
// nobody: both sides work the key out.
export async function keyOfRun(health: Health, nonce: Uint8Array, own: Memory, port: string): Promise<string | null> {
  if (!health.run || !health.resumed) return null
  try {
    const [resume, run] = [fromBase64url(own.resume), fromBase64url(health.run)]
    const here = [bytes(own.projectRoot), bytes(port)]
    if (!(await verify(resume, fromBase64url(health.resumed), [bytes(resumeLabel), nonce, run, ...here]))) return null
    const mac = await crypto.subtle.importKey('raw', resume, hmac, false, ['sign'])
    return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', mac, message([bytes(keyLabel), run, ...here]))))
  } catch {
    return null
  }
}

const hmac = { name: 'HMAC', hash: 'SHA-256' }

async function verify(secret: BufferSource, proof: BufferSource, parts: Uint8Array[]): Promise<boolean> {
  const mac = await crypto.subtle.importKey('raw', secret, hmac, false, ['verify'])
  return crypto.subtle.verify('HMAC', mac, proof, message(parts))
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

// message is the parts, each preceded by its length.
function message(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, p) => n + 8 + p.length, 0))
  let at = 0
  for (const part of parts) {
    new DataView(out.buffer).setBigUint64(at, BigInt(part.length))
    out.set(part, at + 8)
    at += 8 + part.length
  }
  return out
}
