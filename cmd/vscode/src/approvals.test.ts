import { beforeEach, expect, it, vi } from 'vitest'
import { Approvals } from './approvals'
import type { Plan } from './attachment'
import type { Folder } from './folder'
import type { Folders } from './folders'

const editor = vi.hoisted(() => ({
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  told: [] as string[], // titles of notifications
  opened: [] as string[], // plans, by id
  lists: 0,
}))

vi.mock('./log', () => ({ note: () => undefined, report: (_: string, cause: unknown) => Promise.reject(new Error(String(cause))) }))
vi.mock('./vscode', () => ({
  vscode: {
    ProgressLocation: { Notification: 15 },
    Uri: { from: (parts: unknown) => parts },
    commands: { registerCommand: (name: string, run: () => unknown) => editor.commands.set(name, run) },
    workspace: {
      registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
      openTextDocument: (uri: { authority: string }) => Promise.resolve(uri),
    },
    window: {
      showTextDocument: (uri: { authority: string }) => Promise.resolve(editor.opened.push(uri.authority)),
      showQuickPick: () => {
        editor.lists++
        return Promise.resolve(undefined)
      },
      showInformationMessage: () => Promise.resolve(undefined),
      withProgress: ({ title }: { title: string }) => editor.told.push(title),
    },
  },
}))

const plan = (id: string): Plan => ({ id, kind: 'query', title: `Run ${id}?`, detail: '', format: 'sql', cut: false, client: 'claude', expires: '', state: 'pending' })

// waiting is a window with these plans in one folder, all said.
function waiting(...ids: string[]): { pending: Plan[] } {
  let say: (() => void) | undefined
  const folder = { name: 'shop', root: '/shop', pending: ids.map(plan), plan: (id: string) => Promise.resolve(plan(id)), onDidChange: (heard: () => void) => (say = heard) }
  new Approvals({ all: [folder as unknown as Folder], onDidAdd: (heard: (f: unknown) => void) => heard(folder) } as unknown as Folders)
  say?.()
  return folder
}

// follow runs the link of a notification as the editor does.
async function follow(title = ''): Promise<void> {
  const [, name = '', query = ''] = /\[Show Changes\]\(command:([\w.]+)(?:\?([^)\s]+))?\)/.exec(title) ?? []
  await editor.commands.get(name)?.(...(query ? (JSON.parse(decodeURIComponent(query)) as unknown[]) : []))
}

beforeEach(() => {
  editor.told.length = editor.opened.length = editor.lists = 0
})

it('a notification of several shows its own plan', async () => {
  waiting('a1', 'b2', 'c3')
  expect(editor.told).toHaveLength(3)
  await follow(editor.told[1])
  await follow(editor.told[2])
  expect(editor.opened).toEqual(['b2', 'c3'])
  expect(editor.lists).toBe(0)
})

it('a plan that was settled meanwhile leads to what still waits', async () => {
  const folder = waiting('a1', 'b2', 'c3')
  folder.pending.splice(1, 1)
  await follow(editor.told[1])
  expect([editor.opened, editor.lists]).toEqual([[], 1])
})
