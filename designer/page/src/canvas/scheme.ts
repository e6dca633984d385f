import { useSyncExternalStore } from 'react'
import { useStore } from '../store/state'

const media = matchMedia('(prefers-color-scheme: dark)')

function subscribe(changed: () => void): () => void {
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

// useScheme is another text whenever the page's colours are others, for what
// is painted with them: the person has chosen, or the system has changed.
export function useScheme(): string {
  const theme = useStore((s) => s.theme)
  const dark = useSyncExternalStore(subscribe, () => media.matches)
  return `${theme} ${dark}`
}
