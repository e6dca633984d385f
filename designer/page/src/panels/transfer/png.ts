import type { Drawing } from './scene'

// The largest picture that browsers draw without fail, in pixels.
const mostSide = 16_000
const mostArea = 120_000_000

// scaleFor is how many pixels a unit of the drawing gets: two where there is
// room, fewer for a large design.
export function scaleFor({ width, height }: Pick<Drawing, 'width' | 'height'>): number {
  return Math.min(2, mostSide / width, mostSide / height, Math.sqrt(mostArea / (width * height)))
}

// toPng draws an SVG as a picture.
export async function toPng(drawing: Drawing): Promise<Blob> {
  const scale = scaleFor(drawing)
  const url = URL.createObjectURL(new Blob([drawing.svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(drawing.width * scale)
    canvas.height = Math.ceil(drawing.height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise<Blob>((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('this browser cannot make a picture of this size; take SVG'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}
