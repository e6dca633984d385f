import { expect, it, vi } from 'vitest'
import type { Folders } from './folders'
import { registerOthers } from './terminal'

const sent = vi.hoisted((): string[] => [])

vi.mock('./program', () => ({ program: () => '/bin/berth' }))
vi.mock('./vscode', () => ({ vscode: { window: { createTerminal: () => ({ show: () => undefined, sendText: (text: string) => sent.push(text) }) } } }))

it('registering other agents leaves out VS Code’s file, which would list berth twice', () => {
  registerOthers({ current: undefined } as unknown as Folders)
  expect(sent).toEqual(['"/bin/berth" init --without vscode'])
})
