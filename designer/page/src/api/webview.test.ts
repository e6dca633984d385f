import { afterEach, beforeEach, expect, it } from 'vitest'
import { homeOf } from './webview'

// The other end of the messages, as an extension is.
interface Request {
  id: number
  path: string
  method: string
  headers: Record<string, string>
  body: string | null
  abort?: true
}

let posted: Request[] = []
let state: unknown
const editor = { postMessage: (message: unknown): unknown => posted.push(message as Request), getState: () => state, setState: (next: unknown): unknown => (state = next) }

function answer(message: unknown): void {
  dispatchEvent(new MessageEvent('message', { data: message }))
}

function last(): Request {
  return posted[posted.length - 1] as Request
}

beforeEach(() => {
  posted = []
  state = undefined
})

afterEach(() => {
  document.head.innerHTML = ''
  document.body.className = ''
})

it('carries a request and its answer, whatever comes between them', async () => {
  const home = homeOf(editor, document)
  const first = home.request('/designs', { method: 'GET' })
  const one = last()
  const second = home.request('/tools/x', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
  const two = last()
  expect(two).toEqual({ id: two.id, path: '/tools/x', method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
  answer({ id: two.id, status: 409, headers: { 'x-a': 'b' } })
  answer({ id: one.id, status: 200, headers: {} })
  answer({ id: two.id, chunk: new TextEncoder().encode('no') })
  answer({ id: one.id, chunk: new TextEncoder().encode('{"a"') })
  answer({ id: one.id, chunk: new TextEncoder().encode(':1}') })
  answer({ id: one.id, end: true })
  answer({ id: two.id, end: true })
  expect(await (await first).json()).toEqual({ a: 1 })
  const refused = await second
  expect([refused.status, refused.headers.get('x-a'), await refused.text()]).toEqual([409, 'b', 'no'])
})

it('an instance that is gone is a failed request, also in the middle of its answer', async () => {
  const home = homeOf(editor, document)
  const early = home.request('/designs', {})
  answer({ id: last().id, lost: true })
  await expect(early).rejects.toThrow(TypeError)
  const late = home.request('/events', {})
  answer({ id: last().id, status: 200, headers: {} })
  answer({ id: last().id, lost: true })
  await expect((await late).text()).rejects.toThrow('cannot be reached')
})

it('a request that is given up is told to the extension', async () => {
  const home = homeOf(editor, document)
  const abort = new AbortController()
  const stream = home.request('/events', { signal: abort.signal })
  const { id } = last()
  answer({ id, status: 200, headers: {} })
  const read = (await stream).text()
  abort.abort()
  await expect(read).rejects.toThrow('given up')
  expect(last()).toEqual({ id, abort: true })
})

it('an answer without a body has none', async () => {
  const home = homeOf(editor, document)
  const asked = home.request('/designs/a', {})
  answer({ id: last().id, status: 304, headers: {} })
  answer({ id: last().id, end: true })
  expect((await asked).body).toBeNull()
})

it('the extension says whose page it is, and holds the key', async () => {
  const home = homeOf(editor, document)
  const standing = home.standing?.()
  expect(last().path).toBe('')
  answer({ id: last().id, status: 200, headers: {} })
  answer({ id: last().id, chunk: new TextEncoder().encode('{"keyId":"","key":"","projectRoot":"/p","projectRootHash":""}') })
  answer({ id: last().id, end: true })
  expect(await standing).toEqual({ keyId: '', key: '', projectRoot: '/p', projectRootHash: '' })
  const gone = home.standing?.()
  answer({ id: last().id, lost: true })
  expect(await gone).toBeNull()
})

it('what is kept comes back with the tab, the address too, unless another is asked for', () => {
  homeOf(editor, document).keep('berth.view', '1')
  homeOf(editor, document).showAddress('table=a')
  const again = homeOf(editor, document)
  expect([again.read('berth.view'), again.read('other'), again.address()]).toEqual(['1', null, 'table=a'])
  document.head.innerHTML = '<meta name="berth-address" content="table=b">'
  expect(homeOf(editor, document).address()).toBe('table=b')
})

it('the theme is the editor’s', () => {
  document.body.className = 'vscode-dark'
  homeOf(editor, document)
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
