import { describe, expect, it } from 'vitest'
import { lines } from './lines'
import { fromBase64url, keyOfRun, proves, toBase64url } from './proof'

function stream(...parts: string[]): ReadableStream<Uint8Array> {
  const text = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const p of parts) controller.enqueue(text.encode(p))
      controller.close()
    },
  })
}

async function all(body: ReadableStream<Uint8Array>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines(body)) found.push(line)
  return found
}

it('lines come whole however the stream was cut', async () => {
  expect(await all(stream('a\nb', 'c\r\n', '\nd'))).toEqual(['a', 'bc', '', 'd'])
})

it('base64url goes there and back without padding', () => {
  const bytes = new Uint8Array([251, 255, 254, 0])
  expect(toBase64url(bytes)).toBe('-__-AA')
  expect(fromBase64url('-__-AA')).toEqual(bytes)
})

describe('the proof of an instance', () => {
  // Made apart from this code, as docs/http.md says: key 0…31, nonce 32 times 7, this root and port.
  const own = { keyId: 'k', key: toBase64url(Uint8Array.from({ length: 32 }, (_, i) => i)), projectRoot: '/home/ann/app', projectRootHash: '' }
  const nonce = new Uint8Array(32).fill(7)
  const health = { name: 'berth', version: '1', projectRootHash: '', proof: 'lAhiGZZ-C88qHcZcndqDilLtgVCzn5MGovqTAYm0bus' }

  it('is accepted from the instance that knows the key', async () => {
    expect(await proves(health, nonce, own, '50001')).toBe(true)
  })

  it('is refused for another port, nonce, root or key, and where it is missing', async () => {
    expect(await proves(health, nonce, own, '50002')).toBe(false)
    expect(await proves(health, new Uint8Array(32), own, '50001')).toBe(false)
    expect(await proves(health, nonce, { ...own, projectRoot: '/home/eve/app' }, '50001')).toBe(false)
    expect(await proves(health, nonce, { ...own, key: toBase64url(new Uint8Array(32)) }, '50001')).toBe(false)
    expect(await proves({ ...health, proof: '' }, nonce, own, '50001')).toBe(false)
  })
})

describe('the key of a run', () => {
  // Pinned in proxy/wire/proof_test.go too: resume 32 times r, nonce 32 times n.
  const letters = (c: string): Uint8Array => new TextEncoder().encode(c.repeat(32))
  const own = { keyId: 'k', resume: toBase64url(letters('r')), projectRoot: '/home/ann/app', projectRootHash: '' }
  const health = {
    name: 'berth', version: '1', projectRootHash: '', run: toBase64url(new TextEncoder().encode('0123456789abcdef')),
    resumed: 'AOpT_f5KkMHOvJwT_vYq9o3bJNlGFirP4CKtPsSyBVo',
  }

  it('is worked out once the instance has proved which run it is', async () => {
    expect(await keyOfRun(health, letters('n'), own, '50001')).toBe('VE7hkQbZtg5f6nAZDlIRL_n8UeBiuzUlDTl-9qPQ8Iw')
  })

  it('is nobody else’s', async () => {
    expect(await keyOfRun(health, letters('m'), own, '50001')).toBeNull()
    expect(await keyOfRun(health, letters('n'), own, '50002')).toBeNull()
    expect(await keyOfRun(health, letters('n'), { ...own, projectRoot: '/home/eve/app' }, '50001')).toBeNull()
    expect(await keyOfRun(health, letters('n'), { ...own, resume: toBase64url(letters('s')) }, '50001')).toBeNull()
    expect(await keyOfRun({ ...health, run: toBase64url(letters('x')) }, letters('n'), own, '50001')).toBeNull()
    expect(await keyOfRun({ ...health, resumed: '' }, letters('n'), own, '50001')).toBeNull()
  })
})
