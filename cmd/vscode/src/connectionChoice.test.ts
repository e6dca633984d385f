import { beforeEach, expect, it, vi } from 'vitest'
import { ConnectionChoice, mostKept } from './connectionChoice'
import type { Folder } from './folder'
import type { Folders } from './folders'

const editor = vi.hoisted(() => ({
  picks: [] as string[], // what the person picks, in order
  asked: 0,
  active: '',
  item: { text: '', shown: false, show: (): unknown => undefined, hide: (): unknown => undefined },
  command: undefined as undefined | (() => Promise<void>),
  switched: undefined as undefined | (() => void),
}))

vi.mock('./log', () => ({ note: () => undefined, report: () => undefined }))
vi.mock('./vscode', () => ({
  vscode: {
    StatusBarAlignment: { Right: 2 },
    Disposable: { from: () => ({ dispose: () => undefined }) },
    commands: {
      registerCommand: (_: string, run: () => Promise<void>) => {
        editor.command = run
      },
    },
    window: {
      get activeTextEditor() {
        return { document: { languageId: editor.active.endsWith('.sql') ? 'sql' : 'javascript', uri: { toString: () => editor.active } } }
      },
      createStatusBarItem: () => editor.item,
      onDidChangeActiveTextEditor: (heard: () => void) => {
        editor.switched = heard
      },
      showQuickPick: (items: { label: string }[]) => {
        editor.asked++
        const wanted = editor.picks.shift()
        return Promise.resolve(items.find((i) => i.label === wanted))
      },
    },
  },
}))

// memory is what the editor keeps of a window when it is reloaded.
function memory(): { get: (key: string) => unknown; update: (key: string, value: unknown) => Promise<void>; kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>()
  return { kept, get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) }
}

function choice(...names: string[]): { runOn: (file: string) => Promise<string | undefined> } {
  return choiceIn(memory(), ...names)
}

function choiceIn(window: unknown, ...names: string[]): { runOn: (file: string) => Promise<string | undefined> } {
  const list = names.map((name) => ({ name, dialect: 'sqlite' }))
  const folder = { root: '/p', instance: { json: () => Promise.resolve({ connections: list }) } } as unknown as Folder
  const choice = new ConnectionChoice({ current: folder } as unknown as Folders, window as never)
  return {
    runOn: async (file) => {
      editor.active = file
      return (await choice.of(folder, { toString: () => file } as never))?.name
    },
  }
}

beforeEach(() => {
  editor.picks = []
  editor.asked = 0
  editor.item.text = ''
  editor.item.show = () => (editor.item.shown = true)
  editor.item.hide = () => (editor.item.shown = false)
})

it('a connection that was picked is changed for the document by a command', async () => {
  const { runOn } = choice('main', 'other')
  editor.picks = ['main', 'other']
  expect([await runOn('a.sql'), await runOn('a.sql'), editor.asked]).toEqual(['main', 'main', 1])
  await editor.command?.()
  expect([await runOn('a.sql'), editor.asked]).toEqual(['other', 2])
})

it('each document has its own, and a new one begins with the last of the folder', async () => {
  const { runOn } = choice('main', 'other')
  editor.picks = ['main', 'other']
  await runOn('a.sql')
  expect([await runOn('b.sql'), editor.asked]).toEqual(['main', 1])
  await editor.command?.()
  expect([await runOn('b.sql'), await runOn('a.sql'), await runOn('c.sql')]).toEqual(['other', 'main', 'other'])
})

it('the status bar says it beside a SQL file, and leads to another', async () => {
  const { runOn } = choice('main', 'other')
  editor.picks = ['other']
  await runOn('a.sql')
  expect([editor.item.text, editor.item.shown]).toEqual(['$(database) other', true])
  editor.active = 'a.js'
  editor.switched?.()
  expect(editor.item.shown).toBe(false)
})

it('nobody is asked where there is one connection, and one that is gone is asked for again', async () => {
  expect([await choice('main').runOn('a.sql'), editor.asked]).toEqual(['main', 0])
  const { runOn } = choice('main', 'other')
  expect([await runOn('a.sql'), editor.asked]).toEqual([undefined, 1])
})

it('what was chosen for a document survives a reload, and the status bar says it at once', async () => {
  const window = memory()
  editor.picks = ['other']
  await choiceIn(window, 'main', 'other').runOn('a.sql')
  editor.item.text = ''
  const { runOn } = choiceIn(window, 'main', 'other')
  expect(editor.item.text).toBe('$(database) other')
  expect([await runOn('a.sql'), editor.asked]).toEqual(['other', 1])
})

it('the documents whose choice was made or used last are kept, a bounded number', async () => {
  const window = memory()
  editor.picks = ['other']
  const { runOn } = choiceIn(window, 'main', 'other')
  for (let i = 0; i < 300; i++) {
    await runOn(`${i}.sql`)
    await runOn('0.sql')
  }
  const [list] = [...window.kept.values()] as [string, string][][]
  expect(list).toHaveLength(mostKept)
  expect(list?.slice(-2)).toEqual([['299.sql', 'other'], ['0.sql', 'other']])
})
