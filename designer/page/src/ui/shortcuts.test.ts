import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { home } from '../api/home'
import { keysOf, useHint, useShortcut } from './shortcuts'
import { isOff, setSingleKeys } from './singleKeys'

const source = join(import.meta.dirname, '..')

// Words typed while no field has the focus run the bare keys one by one.
it('no letter or digit alone does more than look', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.tsx'))
  const bare = files.flatMap((f) => [...readFileSync(join(source, f), 'utf8').matchAll(/useShortcut\('([^'+]|\+)', '([^']*)'/g)].map(([, key, does]) => `${key ?? ''} ${does ?? ''}`))
  expect(new Set(bare)).toEqual(new Set(['? Show the shortcuts', '1 Zoom to fit', '+ Zoom in', '= Zoom in', '- Zoom out']))
})

it('with Alt the key counts, whatever a Mac would write', () => {
  expect(keysOf(new KeyboardEvent('keydown', { key: '¬', code: 'KeyL', altKey: true }))).toBe('alt+l')
  expect(keysOf(new KeyboardEvent('keydown', { key: 'z', code: 'KeyZ', ctrlKey: true, shiftKey: true }))).toBe('shift+mod+z')
})

describe('single-key shortcuts', () => {
  afterEach(() => setSingleKeys(true))

  it('are those of a character alone', () => {
    setSingleKeys(false)
    expect(['?', '1', '+', '='].map((k) => isOff(k))).toEqual([true, true, true, true])
    expect(['mod+z', 'alt+n', 'Escape', 'Delete', 'ArrowUp', 'F6', 'shift+F6'].filter((k) => isOff(k))).toEqual([])
    setSingleKeys(true)
    expect(isOff('?')).toBe(false)
  })

  it('are remembered where the page is shown', () => {
    setSingleKeys(false)
    expect(home.read('berth.singleKeys')).toBe('off')
    setSingleKeys(true)
    expect(home.read('berth.singleKeys')).toBe('on')
  })

  it('do nothing and are not named while they are off; the others work', () => {
    const [one, escape] = [vi.fn(), vi.fn()]
    let said = ''
    const Part = (): null => {
      useShortcut('1', 'One', one)
      useShortcut('Escape', 'Leave', escape)
      said = useHint()('Fit', '1')
      return null
    }
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    const root = createRoot(document.createElement('div'))
    act(() => root.render(createElement(Part)))
    const press = (): void => ['1', 'Escape'].forEach((key) => void document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true })))
    press()
    expect([one.mock.calls.length, escape.mock.calls.length, said]).toEqual([1, 1, 'Fit (1)'])
    act(() => setSingleKeys(false))
    press()
    expect([one.mock.calls.length, escape.mock.calls.length, said]).toEqual([1, 2, 'Fit'])
    act(() => root.unmount())
  })
})

// An editor that shows the page has a listener of its own at the window.
it('what is pressed with Ctrl or Alt and done here, an editor does not do again', () => {
  const [undo, fit, editor] = [vi.fn(), vi.fn(), vi.fn((event: KeyboardEvent) => event.preventDefault())]
  const Part = (): null => {
    useShortcut('mod+z', 'Undo', undo)
    useShortcut('1', 'Fit', fit)
    return null
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const root = createRoot(document.createElement('div'))
  act(() => root.render(createElement(Part)))
  addEventListener('keydown', editor)
  const press = (init: KeyboardEventInit): void => void document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }))
  press({ key: 'z', ctrlKey: true })
  press({ key: '1' })
  press({ key: 'b', ctrlKey: true })
  removeEventListener('keydown', editor)
  expect([undo.mock.calls.length, fit.mock.calls.length]).toEqual([1, 1])
  expect(editor.mock.calls.map(([{ key }]) => key)).toEqual(['1', 'b'])
  act(() => root.unmount())
})
