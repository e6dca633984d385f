import { useEffect, useState } from 'react'
import { beginDesign, type Begun } from '../api/designs'

// useGuess asks the instance what a text seems to be, a moment after it was
// last changed. null: there is none, or it is not known yet.
export function useGuess(text: string): Begun | null {
  const [known, setKnown] = useState<{ of: string; begun: Begun } | null>(null)
  useEffect(() => {
    if (text.trim() === '') return
    const timer = setTimeout(() => {
      beginDesign({ name: '', dialect: '', text, dryRun: true }).then(
        (begun) => setKnown({ of: text, begun }),
        () => setKnown(null), // what is wrong is said when the design is begun
      )
    }, 250)
    return () => clearTimeout(timer)
  }, [text])
  return known?.of === text ? known.begun : null
}
