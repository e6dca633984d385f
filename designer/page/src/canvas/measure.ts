// How wide a text is, without the DOM: the sum of its letters, each of which
// is measured once, in the page's own font. A thousand tables cost as many
// look-ups as they have letters.

const scale = 100 // pixels at which letters are measured

const unknown = 0.62 * scale // of a letter where nothing can be measured
const unknownWide = 1.05 * scale // of one beyond the alphabets: signs of East Asia, emoji

let context: CanvasRenderingContext2D | null | undefined

function pen(): CanvasRenderingContext2D | null {
  if (context === undefined) context = document.createElement('canvas').getContext('2d')
  return context
}

class Letters {
  private readonly ascii = new Float32Array(128)
  private readonly others = new Map<number, number>()

  constructor(private readonly weight: number) {}

  of(code: number): number {
    const known = code < 128 ? this.ascii[code] : this.others.get(code)
    if (known) return known
    const width = Math.max(this.measured(code), 0.01) // a mark on another letter takes no room
    if (code < 128) this.ascii[code] = width
    else this.others.set(code, width)
    return width
  }

  private measured(code: number): number {
    const c = pen()
    if (!c) return code < 0x1100 ? unknown : unknownWide
    c.font = `${this.weight} ${scale}px ${getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif'}`
    return c.measureText(String.fromCodePoint(code)).width
  }
}

const plain = new Letters(400)
const strong = new Letters(600)

// textWidth is in pixels, for letters of the size given. It is a little more
// than what is drawn where letters join or move together.
export function textWidth(text: string, size: number, bold = false): number {
  const letters = bold ? strong : plain
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0
    if (code > 0xffff) i++
    sum += letters.of(code)
  }
  return (sum * size) / scale
}
