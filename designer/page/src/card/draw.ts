import { counted, heading, sign, visible, what, type Change, type Line, type Plan, type Reply, type Table } from './change'

// el makes an element with text, as [visible] has it, and children.
export function el(tag: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const e = document.createElement(tag)
  if (className) e.className = className
  e.append(...content.map((c) => (typeof c === 'string' ? visible(c) : c)))
  return e
}

// drawChange is the card of what was done to the design, without its buttons.
export function drawChange(c: Change): HTMLElement[] {
  const [did, where] = heading(c)
  const head = el('header', '', el('strong', '', did), el('span', '', where), el('span', 'aside', 'not published'))
  return [head, ...drawTables(c), ...list('warnings', c.warnings)]
}

// drawPlan is the card of a plan.
export function drawPlan(p: Plan): HTMLElement[] {
  const differ = p.tables.length + (p.more ?? 0)
  const parts = [el('header', '', el('strong', '', p.message ?? `${counted(differ, 'table')} to publish`))]
  if (p.steps) parts.push(el('p', 'aside', `${counted(p.steps, 'statement')} for ${p.connection}`))
  return [...parts, ...drawTables(p), ...list('warnings', p.warnings), ...list('notes', p.notes)]
}

function drawTables({ tables, more }: { tables: Table[]; more?: number }): HTMLElement[] {
  const parts = tables.map(drawTable)
  if (more) parts.push(el('p', 'aside', `and ${counted(more, 'more table')}`))
  return parts
}

function drawTable(t: Table): HTMLElement {
  const title = el('h2', '', el('span', `does ${t.does}`, t.does), el('span', 'name', t.name))
  const lines = (t.lines ?? []).map(drawLine)
  if (t.more) lines.push(el('li', 'aside', `and ${t.more} more`))
  return el('section', '', title, el('ul', '', ...lines))
}

function drawLine(l: Line): HTMLElement {
  const mark = sign(l.kind)
  const line = el('li', mark === '+' ? 'added' : mark === '−' ? 'dropped' : 'changed', el('span', 'sign', mark), el('span', 'kind', what(l.kind)))
  if (l.name && l.kind !== 'rename_column') line.append(el('b', '', l.name))
  if (l.from && l.to) line.append(el('del', '', l.from), el('span', 'arrow', '→'), el('ins', '', l.to))
  else if (l.from) line.append(el('del', '', l.from))
  else if (l.to) line.append(el('ins', '', l.to))
  return line
}

// drawReply is a reply that shows nothing of its own: what was refused, or its
// message.
export function drawReply(r: Reply | null, isError: boolean): HTMLElement[] {
  if (!r) return []
  if (isError || r.success === false) return [el('p', 'refused', r.message ?? 'The call was refused.')]
  return r.message ? [el('p', '', r.message)] : []
}

function list(className: string, texts: string[] | undefined): HTMLElement[] {
  return texts?.length ? [el('ul', className, ...texts.map((t) => el('li', '', t)))] : []
}
