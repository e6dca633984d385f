import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { colours } from '../../api/items'
import { dark, light } from '../../panels/transfer/scene'

const css = readFileSync(join(import.meta.dirname, '../../app/theme.css'), 'utf8')

// blocks are the colours of the light theme, of the dark one where the system
// has chosen it and of the dark one where the person has.
const blocks = css.split(/(?=:root)/).filter((b) => b.includes('--paint-1')).map((b) => new Map([...b.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value])))

function channels(hex: string): number[] {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
}

function mixed(a: string, b: string, share: number): number[] {
  const other = channels(b)
  return channels(a).map((c, i) => c * share + (other[i] ?? 0) * (1 - share))
}

function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: number[], b: number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

describe('the colours of areas and notes', () => {
  it('can be told from the ground, and text on them be read, in each theme', () => {
    expect(blocks).toHaveLength(3)
    for (const block of blocks) {
      const of = (name: string): string => block.get(name) ?? ''
      for (const i of colours.keys()) {
        const paint = of(`paint-${i + 1}`)
        expect(contrast(channels(paint), channels(of('bg'))), paint).toBeGreaterThan(3)
        expect(contrast(channels(paint), channels(of('surface'))), paint).toBeGreaterThan(3)
        expect(contrast(channels(of('text')), mixed(paint, of('surface'), 0.2)), paint).toBeGreaterThan(7)
        expect(contrast(channels(of('text-2')), mixed(paint, of('surface'), 0.14)), paint).toBeGreaterThan(4.5)
      }
    }
  })

  it('are the same in the picture', () => {
    const [day, , night] = blocks.map((block) => colours.map((_, i) => block.get(`paint-${i + 1}`)))
    expect([light.paints, dark.paints]).toEqual([day, night])
  })
})
