import { colours as names, type Item, type Items } from '../../api/items'
import { inLayers, titleHeight } from '../../canvas/items/items'
import { textWidth } from '../../canvas/measure'
import type { Colours } from './scene'
import { escape, fitted } from './svgText'

// Areas and notes as shapes, for a file.

const lineHeight = 18
const letters = 13.5
const pad = 10

function of(items: Items, kind: Item['kind']): Item[] {
  return inLayers(items).flatMap(([, item]) => (item.kind === kind ? [item] : []))
}

function paintOf(item: Item, c: Colours): string {
  return c.paints[names.indexOf(item.colour)] ?? c.line
}

export function areaShapes(items: Items, c: Colours): string[] {
  return of(items, 'area').map((item) => {
    const { x, y, width, height, text } = item
    const paint = paintOf(item, c)
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${paint}" fill-opacity="0.11" stroke="${paint}" stroke-width="1.5"/>`,
      `<text x="${x + pad}" y="${y + titleHeight - 12}" font-weight="650" font-size="15" fill="${c.text}">${escape(fitted(text, width - 2 * pad, 15, true))}</text>`,
    ].join('\n')
  })
}

export function noteShapes(items: Items, c: Colours): string[] {
  return of(items, 'note').map((item) => {
    const { x, y, width, height, text } = item
    const paint = paintOf(item, c)
    const most = Math.max(1, Math.floor((height - 12) / lineHeight))
    const all = text.split('\n').flatMap((line) => wrapped(line, width - 2 * pad))
    const shown = all.slice(0, most)
    if (all.length > most) shown[most - 1] = fitted(`${shown[most - 1] ?? ''} …`, width - 2 * pad, letters)
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${c.surface}" stroke="${paint}"/>`,
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${paint}" fill-opacity="0.14"/>`,
      ...shown.map((line, i) => `<text x="${x + pad}" y="${y + 22 + i * lineHeight}" font-size="${letters}" fill="${c.text}">${escape(line)}</text>`),
    ].join('\n')
  })
}

// wrapped breaks a line between words, and within one that is wider than all.
export function wrapped(line: string, width: number): string[] {
  const rows = ['']
  for (const word of line.split(/(?<= )/)) {
    const row = `${rows.at(-1) ?? ''}${word}`
    if (textWidth(row.trimEnd(), letters) <= width) rows[rows.length - 1] = row
    else if (textWidth(word.trimEnd(), letters) <= width) rows.push(word)
    else for (const sign of word) {
      const grown = `${rows.at(-1) ?? ''}${sign}`
      if (textWidth(grown, letters) <= width) rows[rows.length - 1] = grown
      else rows.push(sign)
    }
  }
  return rows
}
