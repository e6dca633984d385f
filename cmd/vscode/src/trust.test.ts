import { beforeEach, expect, it, vi } from 'vitest'
import type { Folders } from './folders'
import { Trust } from './trust'

const editor = vi.hoisted(() => ({ said: [] as string[], listed: 0 }))

vi.mock('./log', () => ({ note: () => undefined, report: () => undefined }))
vi.mock('./vscode', () => ({
  vscode: {
    window: {
      showInformationMessage: (text: string) => Promise.resolve(void editor.said.push(text)),
      showWarningMessage: () => {
        editor.listed++
        return Promise.resolve(undefined)
      },
    },
  },
}))

// memory is what the editor keeps for the extension, in all its windows.
function memory(): { get: (key: string) => unknown; update: (key: string, value: unknown) => Promise<void> } {
  const kept = new Map<string, unknown>()
  return { get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) }
}

// opened is a window on a folder whose files ask for these, and has been served.
async function opened(kept: unknown, ...digests: string[]): Promise<Trust> {
  const asks = digests.map((digest) => ({ digest, words: `wants ${digest}`, file: '/p/.berth/config.yaml', line: 1, trusted: false }))
  let say: ((f: unknown) => void) | undefined
  const state = { kind: 'ready', ready: { pid: 1 } }
  const folder = { name: 'p', root: '/p', instance: { json: () => Promise.resolve({ asks }) }, onDidChange: (heard: (f: unknown) => void) => (say = heard), onNotice: () => undefined }
  const trust = new Trust({ current: folder, onDidAdd: (heard: (f: unknown) => void) => heard(folder) } as unknown as Folders, kept as never)
  say?.({ state })
  await new Promise((resolve) => setTimeout(resolve, 5))
  return trust
}

beforeEach(() => {
  editor.said.length = editor.listed = 0
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
