import { beforeEach, expect, it, vi } from 'vitest'
import { provideServer } from './mcp'

// The editor's list of servers (MCP: List Servers) holds what each provider
// gives: it names a server by the provider and the label, so a label twice is a
// server twice. One provider that gives one definition, whatever the folders,
// is what lists berth once.

interface Provider {
  onDidChangeMcpServerDefinitions: (listener: () => void) => void
  provideMcpServerDefinitions: () => { label: string; args: string[] }[]
}

const editor = vi.hoisted(() => ({
  providers: [] as { id: string; provider: unknown }[],
  folders: [] as { uri: string }[] | undefined,
  off: new Set<string | undefined>(), // the folders, by their uri, that say Devdb.enableMcpServer: false
  configured: [] as ((e: { affectsConfiguration: (section: string) => boolean }) => void)[],
  moved: [] as (() => void)[],
}))

vi.mock('./program', () => ({ program: () => '/bin/berth' }))
vi.mock('./vscode', () => {
  class EventEmitter {
    private readonly listeners: (() => void)[] = []
    readonly event = (listener: () => void): void => void this.listeners.push(listener)
    fire(): void {
      for (const listener of this.listeners) listener()
    }
  }
  class McpStdioServerDefinition {
    constructor(readonly label: string, readonly command: string, readonly args: string[]) {}
  }
  return {
    vscode: {
      EventEmitter,
      McpStdioServerDefinition,
      Disposable: { from: () => ({ dispose: () => undefined }) },
      lm: { registerMcpServerDefinitionProvider: (id: string, provider: unknown) => editor.providers.push({ id, provider }) },
      workspace: {
        get workspaceFolders() {
          return editor.folders
        },
        getConfiguration: (_: string, uri?: string) => ({ get: () => !editor.off.has(uri) }),
        onDidChangeConfiguration: (listener: (typeof editor.configured)[number]) => editor.configured.push(listener),
        onDidChangeWorkspaceFolders: (listener: () => void) => editor.moved.push(listener),
      },
    },
  }
})

const setting = (name: string): void => editor.configured.forEach((listener) => listener({ affectsConfiguration: (section) => section === name }))

function provided(): { listed: () => string[]; changes: () => number } {
  provideServer('1.2.3')
  expect(editor.providers.map((p) => p.id)).toEqual(['berth'])
  const provider = editor.providers[0]?.provider as Provider
  let changes = 0
  provider.onDidChangeMcpServerDefinitions(() => changes++)
  return { listed: () => provider.provideMcpServerDefinitions().map((d) => `${d.label}: ${d.args.join(' ')}`), changes: () => changes }
}

beforeEach(() => {
  editor.providers.length = editor.configured.length = editor.moved.length = 0
  editor.folders = [{ uri: 'one' }]
  editor.off.clear()
})

it('berth is listed once, in a window of any number of folders and after changes', () => {
  const { listed, changes } = provided()
  for (const folders of [undefined, [{ uri: 'one' }], [{ uri: 'one' }, { uri: 'two' }]]) {
    editor.folders = folders
    editor.moved.forEach((listener) => listener())
    expect(listed()).toEqual(['Berth: mcp'])
  }
  setting('berth.path')
  setting('Devdb.enableMcpServer')
  setting('berth.query.rows')
  expect(changes()).toBe(5) // three times other folders, two settings of its own
  expect(listed()).toEqual(['Berth: mcp'])
  expect(editor.providers).toHaveLength(1)
})

it('berth is not listed once every folder has turned it off', () => {
  const { listed } = provided()
  editor.folders = [{ uri: 'one' }, { uri: 'two' }]
  editor.off.add('one')
  expect(listed()).toEqual(['Berth: mcp'])
  editor.off.add('two')
  expect(listed()).toEqual([])
})
