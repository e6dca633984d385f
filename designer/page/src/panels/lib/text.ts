// Words and texts that several panels show.

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

// hidden are characters that a reader would not see, or that would make them
// see others elsewhere than they stand. Line ends, tabs, spaces and the joiners
// that some scripts need are let be, and what picks the look of an emoji.
const hidden = /(?!\t|\n|\u200c|\u200d)(?:\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\u115f|\u1160|\u3164|\uffa0|(?<!\p{Extended_Pictographic})\p{Variation_Selector})/gu

// visible writes hidden characters as what they are, so that a text is what
// it seems to be.
export function visible(text: string): string {
  return text.replace(hidden, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`)
}

export function ago(then: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - then) / 1000))
  if (seconds < 60) return 'just now'
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h ago` : new Date(then).toLocaleDateString()
}

// countdown writes how long is left: "4:09", "1 h 02".
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}
