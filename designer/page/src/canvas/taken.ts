import { overlaps, type Rect } from './geometry'

const high = 16 // of a band

// Taken is ground that something stands on, in bands.
export class Taken {
  private readonly bands = new Map<number, Rect[]>()

  // take reports whether there was room, and uses it.
  take(rect: Rect): boolean {
    if (!this.isFree(rect)) return false
    this.add(rect)
    return true
  }

  add(rect: Rect): void {
    this.each(rect, (band) => {
      const list = this.bands.get(band)
      if (list) list.push(rect)
      else this.bands.set(band, [rect])
      return true
    })
  }

  isFree(rect: Rect, but?: Rect): boolean {
    return this.each(rect, (band) => !(this.bands.get(band) ?? []).some((other) => other !== but && overlaps(rect, other)))
  }

  // each goes through the bands of a rectangle while it is told to go on.
  private each({ y, height }: Rect, go: (band: number) => boolean): boolean {
    const last = Math.floor((y + height) / high)
    for (let band = Math.floor(y / high); band <= last; band++) if (!go(band)) return false
    return true
  }
}
