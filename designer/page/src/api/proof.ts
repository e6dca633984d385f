// Whether the process behind this address is the instance that gave us our
// key: checked before the key is sent, since anything may take a dead
// instance's port. See docs/http.md, "Is this still my instance?".

const label = 'berth identity v1'

export interface Health {
  name: string
  version: string
  projectRootHash: string
  proof?: string
}

export interface Credential {
  keyId: string
  key: string // 32 bytes, base64url
  projectRoot: string
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

export async function rootHash(root: string): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(root))
  return [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, '0')).join('')
}

// proves reports whether health answers nonce as only our instance can. Every
// doubt is a no.
export async function proves(health: Health, nonce: Uint8Array, own: Credential, port: string): Promise<boolean> {
  if (!health.proof) return false
  try {
    const secret = await crypto.subtle.digest('SHA-256', fromBase64url(own.key))
    const mac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    return await crypto.subtle.verify('HMAC', mac, fromBase64url(health.proof), message(nonce, own.projectRoot, port))
  } catch {
    return false
  }
}

function message(nonce: Uint8Array, root: string, port: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder()
  const parts = [text.encode(label), nonce, text.encode(root), text.encode(port)]
  const out = new Uint8Array(parts.reduce((n, p) => n + 8 + p.length, 0))
  let at = 0
  for (const part of parts) {
    new DataView(out.buffer).setBigUint64(at, BigInt(part.length))
    out.set(part, at + 8)
    at += 8 + part.length
  }
  return out
}
