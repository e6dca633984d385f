import { type Box, type Column, type Diagram, type Relation } from './change'
import { el } from './draw'

// The diagram of a card that is wide enough. The tables that differ are in the
// middle, those that they refer to on their left, and those that refer to them
// on their right. The lines are drawn once the boxes have their places.

// lanes sorts the tables of a diagram, by their places, into left, middle and right.
export function lanes(d: Diagram): [left: number[], middle: number[], right: number[]] {
  const all: [number[], number[], number[]] = [[], [], []]
  d.tables.forEach((t, at) => {
    const referred = (d.relations ?? []).some((r) => r.to === at && d.tables[r.from]?.does !== undefined)
    all[t.does ? 1 : referred ? 0 : 2].push(at)
  })
  return all
}

export function drawDiagram(d: Diagram): HTMLElement {
  const figure = el('figure', '')
  const drawn = lanes(d).filter((lane) => lane.length > 0)
  figure.append(...drawn.map((lane) => el('div', 'lane', ...lane.map((at) => drawBox(d.tables[at] as Box, at)))))
  const said = (d.relations ?? []).map((r) => el('li', '', inWords(d, r)))
  if (said.length > 0) figure.append(el('ul', 'said', ...said))
  return figure
}

const marks = { added: '+', dropped: '−', changed: '~' }

function drawBox(t: Box, at: number): HTMLElement {
  const head = el('h3', '', t.name)
  if (t.does) head.prepend(el('span', 'mark', marks[t.does]), ' ')
  if (t.was) head.append(el('del', '', t.was))
  const columns = (t.columns ?? []).map(drawColumn)
  if (t.more) columns.push(el('li', 'aside', `and ${t.more} more`))
  const box = el('div', `box ${t.does ?? ''}`.trim(), head, el('ul', '', ...columns))
  box.dataset['at'] = String(at)
  return box
}

function drawColumn(c: Column): HTMLElement {
  const line = el('li', c.does ?? '', el('span', 'mark', c.does ? marks[c.does] : ''), el(c.key ? 'b' : 'span', '', c.name))
  if (c.was) line.append(el('del', '', c.was), el('span', 'arrow', '→'))
  line.append(el('span', 'kind', c.type))
  return line
}

// inWords is a relation in words, for who does not see the line.
function inWords(d: Diagram, r: Relation): string {
  const does = r.does ? ` (${r.does})` : ''
  return `${d.tables[r.from]?.name} refers to ${d.tables[r.to]?.name}${does}`
}

const svg = 'http://www.w3.org/2000/svg'

// drawLines draws the relations, in place of those drawn before.
export function drawLines(figure: HTMLElement, d: Diagram): void {
  figure.querySelector('svg')?.remove()
  const canvas = document.createElementNS(svg, 'svg')
  canvas.setAttribute('aria-hidden', 'true')
  const origin = figure.getBoundingClientRect()
  const boxOf = (at: number): DOMRect | undefined => figure.querySelector(`[data-at="${at}"] h3`)?.getBoundingClientRect()
  for (const r of d.relations ?? []) {
    const from = boxOf(r.from)
    const to = boxOf(r.to)
    if (!from || !to) continue
    const path = document.createElementNS(svg, 'path')
    path.setAttribute('class', r.does ?? '')
    path.setAttribute('d', line(from, to, origin, r.from === r.to))
    canvas.append(path)
  }
  figure.append(canvas)
}

// line leads from the head of one table to that of another, with an arrow.
function line(from: DOMRect, to: DOMRect, origin: DOMRect, itself: boolean): string {
  const left = to.right <= from.left // the table referred to is in a lane on the left
  const beside = !left && to.left < from.right // or in the same one
  const x1 = (left ? from.left : from.right) - origin.x
  const x2 = (left || beside ? to.right : to.left) - origin.x
  const y1 = from.y + from.height / 2 - origin.y
  const y2 = to.y + to.height / 2 - origin.y + (itself ? 8 : 0)
  const bend = beside ? 22 : Math.abs(x2 - x1) / 2
  const side = left ? -1 : 1
  const arrives = left || beside ? 1 : -1 // the side of the table on which the arrow ends
  const arrow = `M${x2 + arrives * 6} ${y2 - 4}L${x2} ${y2}L${x2 + arrives * 6} ${y2 + 4}`
  return `M${x1} ${y1}C${x1 + side * bend} ${y1} ${x2 + arrives * bend} ${y2} ${x2} ${y2}${arrow}`
}
