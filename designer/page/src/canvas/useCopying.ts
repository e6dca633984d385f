import { useEffect } from 'react'
import { copied } from '../store/copying'
import { store } from '../store/state'
import { toast } from '../store/toasts'
import { inTextField } from '../ui/shortcuts'

// useCopying copies the tables that are selected and pastes what was copied,
// in this project or another one. Where a text field has the focus or words are
// marked, the browser copies and pastes those.
export function useCopying(): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const { design, selected } = store.get()
      const marked = getSelection()?.isCollapsed === false
      if (!design || selected.size === 0 || marked || elsewhere(event)) return
      event.clipboardData?.setData('text/plain', copied(design, [...selected]))
      event.preventDefault()
      toast('info', `Copied ${countOf(selected.size)}. Paste here or in another project.`)
    }
    const paste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!store.get().design || text === '' || elsewhere(event)) return
      event.preventDefault()
      void import('./adding').then((m) => m.paste(text))
    }
    addEventListener('copy', copy)
    addEventListener('paste', paste)
    return () => {
      removeEventListener('copy', copy)
      removeEventListener('paste', paste)
    }
  }, [])
}

const elsewhere = (event: Event): boolean => inTextField(event.target) || (event.target instanceof Element && event.target.closest('dialog[open], [role=grid]') !== null)

export const countOf = (n: number): string => (n === 1 ? 'one table' : `${n} tables`)
