import { beforeEach, expect, it, vi } from 'vitest'
import type { Folders } from './folders'
import { Trust } from './trust'
import type { Ask } from './trustText'

const editor = vi.hoisted(() => ({ said: [] as string[], listed: 0, picked: undefined as string | undefined }))

vi.mock('./log', () => ({ note: () => undefined, report: () => undefined }))
vi.mock('./vscode', () => ({
  vscode: {
    window: {
      showInformationMessage: (text: string) => Promise.resolve(void editor.said.push(text)),
      showWarningMessage: () => {
        editor.listed++
        return Promise.resolve(editor.picked)
      },
    },
  },
}))

// memory is what the editor keeps for the extension, in all its windows.
function memory(): { get: (key: string) => unknown; update: (key: string, value: unknown) => Promise<void> } {
  const kept = new Map<string, unknown>()
  return { get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) }
}

const ask = (digest: string, trusted = false): Ask => ({ digest, words: `wants ${digest}`, file: '/p/.berth/config.yaml', line: 1, trusted })

// opened is a window on a folder whose files ask for these, and has been served.
async function opened(kept: unknown, ...digests: string[]): Promise<Trust> {
  return (await window(kept, digests.map((digest) => ask(digest)))).trust
}

// window is one on a folder with these asks; said has it hear that they changed.
async function window(kept: unknown, asks: Ask[]): Promise<{ trust: Trust; said: () => Promise<unknown> }> {
  let say: ((f: unknown) => void) | undefined
  let hear: ((notice: unknown) => void) | undefined
  const passed = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5))
  const state = { kind: 'ready', ready: { pid: 1 } }
  const folder = { name: 'p', root: '/p', instance: { json: () => Promise.resolve({ asks }) }, onDidChange: (heard: (f: unknown) => void) => (say = heard), onNotice: (heard: typeof hear) => (hear = heard) }
  const trust = new Trust({ current: folder, onDidAdd: (heard: (f: unknown) => void) => heard(folder) } as unknown as Folders, kept as never)
  say?.({ state })
  await passed()
  return {
    trust,
    said: () => {
      hear?.({ type: 'trust' })
      return passed()
    },
  }
}

beforeEach(() => {
  editor.said.length = editor.listed = 0
  editor.picked = undefined
})

it('asks are said once, not again by a reload or a second window', async () => {
  const kept = memory()
  await opened(kept, 'a', 'b')
  expect(editor.said).toEqual(['p: 2 things need your trust'])
  const again = await opened(kept, 'b', 'a')
  expect(editor.said).toHaveLength(1)
  await again.ask() // a person still can
  expect(editor.listed).toBe(1)
})

it('an ask that changed or is new is said, alone', async () => {
  const kept = memory()
  await opened(kept, 'a', 'b')
  await opened(kept, 'a', 'c')
  expect(editor.said.at(-1)).toBe('p: wants c')
  await opened(kept, 'a')
  expect(editor.said).toHaveLength(2)
})

it('an ask that was allowed and is taken back is said again, once', async () => {
  const kept = memory()
  const asks = [ask('a'), ask('b')]
  const { said } = await window(kept, asks)
  asks[0] = ask('a', true)
  await said()
  expect(editor.said).toHaveLength(1)
  asks[0] = ask('a')
  await said()
  await said()
  expect(editor.said).toEqual(['p: 2 things need your trust', 'p: wants a'])
})

it('what was allowed in this window, and taken back while none was open, is said again', async () => {
  const kept = memory()
  const { trust } = await window(kept, [ask('a')])
  editor.picked = 'Allow'
  await trust.ask()
  await opened(kept, 'a')
  expect(editor.said).toEqual(['p: wants a', 'p: wants a'])
})
