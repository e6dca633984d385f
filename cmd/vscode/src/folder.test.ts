import { beforeEach, expect, it, vi } from 'vitest'
import type { Listener } from './attachment'
import { Folder } from './folder'

const instance = vi.hoisted(() => ({ listener: undefined as unknown as Listener, status: () => Promise.resolve<unknown>({}), asked: [] as string[] }))

vi.mock('./program', () => ({ program: () => 'berth' }))
vi.mock('./log', () => ({ note: () => undefined }))
vi.mock('./attachment', () => ({
  Attachment: class {
    constructor(_program: string, _root: string, _name: string, heard: Listener) {
      instance.listener = heard
    }
    close = (): void => undefined
  },
}))
vi.mock('./instance', () => ({
  Instance: class {
    serve = (): void => undefined
    json = (path: string): Promise<unknown> => {
      instance.asked.push(path)
      return instance.status()
    }
  },
}))
vi.mock('./vscode', () => ({
  vscode: {
    env: { appName: 'Code' },
    EventEmitter: class {
      private readonly listeners: ((what: unknown) => void)[] = []
      readonly event = (heard: (what: unknown) => void): void => void this.listeners.push(heard)
      fire(what: unknown): void {
        for (const heard of this.listeners) heard(what)
      }
    },
  },
}))

function ready(pid: number): void {
  instance.listener.state({ kind: 'ready', ready: { projectRoot: '/p', port: 1, url: 'u', pid, version: 'v', started: true } })
}

beforeEach(() => {
  instance.asked.length = 0
  instance.status = () => Promise.resolve({})
})

function opened(): { folder: Folder; said: string[] } {
  const folder = new Folder({ name: 'p', uri: { fsPath: '/p' } } as never)
  const said: string[] = []
  folder.onDidChange(({ sync }) => said.push(sync))
  return { folder, said }
}

it('how the design stands is known when a window opens, and after a reload', async () => {
  instance.status = () => Promise.resolve({ syncState: 'drifted' })
  const { folder, said } = opened()
  ready(1)
  await expect.poll(() => folder.sync).toBe('drifted')
  expect(said.at(-1)).toBe('drifted')
  expect(instance.asked).toEqual(['/status'])
})

it('another run of the instance has no design open until it says so', async () => {
  instance.status = () => Promise.resolve({ syncState: 'proposed' })
  const { folder } = opened()
  ready(1)
  await expect.poll(() => folder.sync).toBe('proposed')
  instance.status = () => Promise.resolve({})
  ready(2)
  await expect.poll(() => folder.sync).toBe('')
})

it('what an event says while the status is read is newer', async () => {
  let answer: (status: unknown) => void = () => undefined
  instance.status = () => new Promise((resolve) => (answer = resolve))
  const { folder } = opened()
  ready(1)
  await expect.poll(() => instance.asked).toHaveLength(1)
  instance.listener.event({ type: 'edited', sync: 'proposed' })
  answer({ syncState: 'synced' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(folder.sync).toBe('proposed')
})

it('a status that cannot be read leaves open how the design stands', async () => {
  instance.status = () => Promise.reject(new Error('it has ended'))
  const { folder } = opened()
  ready(1)
  await expect.poll(() => instance.asked).toHaveLength(1)
  expect(folder.sync).toBe('')
})
