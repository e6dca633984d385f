import { home } from './home'

// Whether the instance answers at all. A request that is not answered may be one
// that takes its time, as a publish does: then the instance is asked for a sign
// of life, which it gives whatever else it does. One that is stopped keeps its
// connections, so that nothing fails by itself.

// Both together are less than the 3 s in which a person is told.
const patience = 1_000 // ms without an answer, before the instance is asked and between two times
const answersWithin = 1_500 // ms, for the sign of life

let tell: (silent: boolean) => void = () => undefined
let silent = false
let waiting = 0 // requests without an answer
let answers = 0 // that came so far
let timer: ReturnType<typeof setTimeout> | undefined

// onSilence calls back when the instance stops answering, and when it answers
// again.
export function onSilence(listener: typeof tell): void {
  tell = listener
}

// watched is a request whose answer is waited for.
export async function watched(request: Promise<Response>): Promise<Response> {
  waiting++
  timer ??= setTimeout(() => void look(), patience)
  try {
    const answer = await request
    answers++
    say(false)
    return answer
  } finally {
    waiting--
    rest()
  }
}

function say(now: boolean): void {
  if (silent === now) return
  silent = now
  tell(now)
}

// rest ends the watch where nothing waits and nothing is to be taken back.
function rest(): void {
  if (waiting > 0 || silent) return
  clearTimeout(timer)
  timer = undefined
}

async function look(): Promise<void> {
  const before = answers
  const heard = await home.request('/health', { cache: 'no-store', signal: AbortSignal.timeout(answersWithin) }).then(
    () => true,
    (cause: unknown) => !isTimeout(cause), // nothing listens: whoever asks is told
  )
  if (heard || answers > before) say(false)
  else if (waiting > 0) say(true)
  timer = setTimeout(() => void look(), patience)
  rest()
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError'
}
