import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { Carrier } from './carrier'
import { Instance, readReply } from './instance'

let server: Server | null = null

async function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<{ instance: Instance; keys: () => number }> {
  const own = (server = createServer(answer))
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  let keys = 0
  const instance = new Instance({ request: () => Promise.resolve({ keyId: 'id', key: `key${++keys}` }) })
  const { port } = own.address() as AddressInfo
  instance.serve({ projectRoot: '/p', port, url: `http://127.0.0.1:${port}`, pid: 1, version: '', started: true })
  return { instance, keys: () => keys }
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

it('signs in once a run, and again in another', async () => {
  const seen: (string | undefined)[] = []
  const { instance, keys } = await served((request, response) => {
    seen.push(request.headers.authorization)
    response.end('{"a":1}')
  })
  expect(await Promise.all([instance.json('/x'), instance.json('/x')])).toEqual([{ a: 1 }, { a: 1 }])
  expect(seen).toEqual(['Bearer id.key1', 'Bearer id.key1'])
  instance.serve({ projectRoot: '/p', port: 0, url: `http://127.0.0.1:${(server?.address() as AddressInfo).port}`, pid: 2, version: '', started: true })
  await instance.json('/x')
  expect([seen[2], keys()]).toEqual(['Bearer id.key2', 2])
  instance.serve(null)
  await expect(instance.json('/x')).rejects.toThrow('does not serve')
})

it('a refusal has the instance’s own words', async () => {
  const { instance } = await served((_, response) => {
    response.statusCode = 403
    response.end('{"error":"forbidden","message":"no"}')
  })
  await expect(instance.json('/x')).rejects.toMatchObject({ status: 403, code: 'forbidden', message: 'no' })
})

it('a reply of a tool is its last line', () => {
  expect(readReply('{"progress":{}}\n{"result":{"content":["{\\"a\\":1}"]}}\n')).toEqual({ failed: false, text: '{"a":1}', json: { a: 1 }, question: null })
  expect(readReply('{"result":{"content":["no"],"isError":true}}')).toMatchObject({ failed: true, text: 'no', json: null })
  expect(readReply('{"inputRequired":{"requests":{"confirm":{"params":{"message":"Sure?"}}}}}')).toMatchObject({ failed: true, question: { message: 'Sure?' } })
  expect(readReply('{"message":"unknown","error":"not_found"}')).toMatchObject({ failed: true, text: 'unknown' })
  expect(readReply('{"progress":')).toMatchObject({ failed: true })
})

it('a page’s requests are sent with the key, which does not come back', async () => {
  const seen: IncomingMessage['headers'][] = []
  const { instance } = await served((request, response) => {
    seen.push(request.headers)
    response.setHeader('ETag', '"1"')
    response.setHeader('X-Secret', 's')
    response.end('body')
  })
  const posted: Record<string, unknown>[] = []
  const carrier = new Carrier(instance, (message) => posted.push(message as Record<string, unknown>))
  await carrier.hear({ id: 1, path: '/designs', method: 'GET', headers: { Authorization: 'Bearer own', Cookie: 'c', 'If-None-Match': '"0"' } })
  expect(seen[0]).toMatchObject({ authorization: 'Bearer id.key1', 'if-none-match': '"0"' })
  expect(seen[0]).not.toHaveProperty('cookie')
  expect(posted).toEqual([{ id: 1, status: 200, headers: { etag: '"1"' } }, { id: 1, chunk: new TextEncoder().encode('body') }, { id: 1, end: true }])
})

it('a page gets no key, and nothing that only the instance’s owner may have', async () => {
  const asked: (string | undefined)[] = []
  const { instance } = await served((request, response) => {
    asked.push(request.url)
    response.end('{}')
  })
  for (const path of ['/signin', '/signin/resume', '/signin/code', '/keys', '/keys/x', '/projects/open', '/shutdown', '/handover', '/mcp', '/calls', 'http://elsewhere/', '@elsewhere']) {
    const posted: Record<string, unknown>[] = []
    await new Carrier(instance, (message) => posted.push(message as Record<string, unknown>)).hear({ id: 1, path })
    expect(posted[0], path).toMatchObject({ status: 403 })
  }
  expect(asked).toEqual([])
})

it('a page hears whose it is, that the instance is gone, and can give a request up', async () => {
  let ended = false
  const { instance } = await served((_, response) => {
    response.flushHeaders()
    response.on('close', () => (ended = true))
  })
  const posted: Record<string, unknown>[] = []
  const carrier = new Carrier(instance, (message) => posted.push(message as Record<string, unknown>))
  await carrier.hear({ id: 1, path: '' })
  expect(new TextDecoder().decode(posted[1]?.['chunk'] as Uint8Array)).toContain('"projectRoot":"/p"')
  const stream = carrier.hear({ id: 2, path: '/events' })
  await expect.poll(() => posted.some((m) => m['id'] === 2)).toBe(true)
  await carrier.hear({ id: 2, abort: true })
  await stream
  await expect.poll(() => ended).toBe(true)
  const cut = carrier.hear({ id: 3, path: '/events' })
  await expect.poll(() => posted.some((m) => m['id'] === 3)).toBe(true)
  server?.closeAllConnections()
  await cut
  expect(posted.at(-1)).toEqual({ id: 3, lost: true })
  instance.serve(null)
  await carrier.hear({ id: 4, path: '' })
  expect(posted.at(-1)).toEqual({ id: 4, lost: true })
})
