import { expect, it, vi } from 'vitest'
import { syncWords as ofThePage } from '../../../designer/page/src/ui/syncWords'
import { ProjectsTree } from './projectsTree'
import { showStatus } from './status'
import { syncWords } from './syncWords'

const editor = vi.hoisted(() => ({ item: { text: '', tooltip: '', show: () => undefined } }))

vi.mock('./log', () => ({ note: () => undefined }))
vi.mock('./vscode', () => ({
  vscode: {
    EventEmitter: class {
      event = (): void => undefined
    },
    TreeItem: class {
      description = ''
    },
    ThemeIcon: class {
      id = ''
    },
    StatusBarAlignment: { Left: 1 },
    Disposable: { from: () => undefined },
    window: { createStatusBarItem: () => editor.item, onDidChangeActiveTextEditor: () => undefined },
  },
}))

it('the editor says how a design stands in the words of the page', () => {
  expect(Object.fromEntries(Object.keys(ofThePage).map((state) => [state, syncWords(state)]))).toEqual(ofThePage)
})

it('the status bar and the list of projects use them', () => {
  const folder = { name: 'shop', sync: 'drifted', pending: [], state: { kind: 'ready', ready: { port: 50001, projectRoot: '/shop' } } }
  showStatus({ current: folder, onDidChange: () => undefined } as never)
  expect(editor.item.text).toBe('$(type-hierarchy) shop:50001 · Drifted')
  expect(editor.item.tooltip).toContain('the design is: Drifted')
  const project = { projectRoot: '/shop', port: 50001, state: 'live', syncState: 'proposed', approvals: null, leases: null }
  expect(new ProjectsTree().getTreeItem(project).description).toBe(':50001 · Proposed')
})
