// Where a menu stands, and what its keys do.

const edge = 8 // pixels between a menu and the border of the window

interface Size {
  width: number
  height: number
}

// placed puts a menu beside a point, all of it within the window: on the other
// side where there is no room, else where there is most.
export function placed(at: { x: number; y: number }, menu: Size, room: Size, above: boolean): { left: number; top: number } {
  const left = at.x + menu.width > room.width - edge ? at.x - menu.width : at.x
  const up = above || at.y + menu.height > room.height - edge
  const top = up ? at.y - menu.height : at.y
  return { left: within(left, room.width - menu.width - edge), top: within(top, room.height - menu.height - edge) }
}

function within(value: number, most: number): number {
  return Math.max(edge, Math.min(value, most))
}

// stepTo is the item that a key leads to; null: none.
export function stepTo(key: string, at: number, length: number): number | null {
  if (length === 0) return null
  if (key === 'ArrowDown') return (at + 1) % length
  if (key === 'ArrowUp') return (at - 1 + length) % length
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : null
}
