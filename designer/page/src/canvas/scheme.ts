import { useSyncExternalStore } from 'react'
import { useStore } from '../store/state'

const media = matchMedia('(prefers-color-scheme: dark)')

function subscribe(changed: () => void): () => void {
  const editor = new MutationObserver(changed) // which says it by the same attribute
  editor.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  media.addEventListener('change', changed)
  return () => {
    editor.disconnect()
    media.removeEventListener('change', changed)
  }
}

// useScheme is another text whenever the page's colours are others, for what
// is painted with them: the person has chosen, or the system has changed.
export function useScheme(): string {
  const theme = useStore((s) => s.theme)
  const dark = useSyncExternalStore(subscribe, () => `${document.documentElement.dataset['theme'] ?? ''} ${media.matches}`)
  return `${theme} ${dark}`
}
