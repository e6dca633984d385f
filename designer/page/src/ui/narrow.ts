import { useSyncExternalStore } from 'react'

const media = matchMedia('(max-width: 720px)')

function subscribe(changed: () => void): () => void {
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

// useNarrow reports whether the page is as narrow as on a phone, where what
// stands beside the canvas elsewhere is a sheet.
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => media.matches)
}
