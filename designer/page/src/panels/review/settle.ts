import { postReview, type Verdict } from '../../api/review'
import { store } from '../../store/state'
import { toast } from '../../store/toasts'
import { messageOf } from '../lib/text'
import { lookAgain } from './watch'

// settle accepts or takes back what keys select, as it was shown; without keys,
// all.
export async function settle(verdict: Verdict, keys: string[], what: string): Promise<void> {
  const { connection, reviewing } = store.get()
  if (!reviewing.review) return
  const at = buttons().indexOf(document.activeElement)
  try {
    const outcome = await postReview(connection, verdict, keys, reviewing.review.version)
    if (!outcome.success) toast('warn', outcome.message)
    else if (verdict === 'take_back') toast('info', `Took back ${what}. Undo brings it back.`)
  } catch (cause) {
    toast('bad', messageOf(cause))
  }
  await lookAgain()
  requestAnimationFrame(() => keepFocus(at))
}

const buttons = (): (Element | null)[] => [...document.querySelectorAll('[data-testid=review] button:not(:disabled)')]

// keepFocus gives the focus to what stands where the button was that has gone.
function keepFocus(at: number): void {
  if (at < 0 || (document.activeElement !== document.body && document.activeElement !== null)) return
  const left = buttons()
  const next = left[Math.min(at, left.length - 1)] ?? document.querySelector('[data-testid=review-place]')
  if (next instanceof HTMLElement) next.focus()
}
