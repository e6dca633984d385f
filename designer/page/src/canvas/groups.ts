import type { Id } from '../api/types'

// Which tables belong together, told by their relations alone: the groups
// that have more relations within than chance would give them (modularity,
// moved table by table and then group by group, as Louvain's method does).

type Weights = Map<number, Map<number, number>>

export interface Groups {
  together: Id[][] // each of two or more, neighbours next to each other
  alone: Id[] // without a relation
}

// groupsOf is the same for the same tables and pairs in the same order. No
// group has more than most tables.
export function groupsOf(ids: readonly Id[], pairs: readonly (readonly [Id, Id])[], most: number): Groups {
  const number = new Map(ids.map((id, i) => [id, i]))
  let links: Weights = new Map()
  for (const [a, b] of pairs) link(links, number.get(a) ?? 0, number.get(b) ?? 0, 1)
  let groups = new Map([...links.keys()].sort((a, b) => a - b).map((n) => [n, [n]]))
  for (;;) {
    const of = moved(groups, links, most)
    if (new Set(of.values()).size === groups.size) break
    groups = joined(groups, of)
    links = between(links, of)
  }
  const together = inOrder([...groups.keys()], links).map((g) => (groups.get(g) ?? []).flatMap((n) => ids[n] ?? []))
  const related = new Set(together.flat())
  return { together, alone: ids.filter((id) => !related.has(id)) }
}

function link(links: Weights, a: number, b: number, weight: number): void {
  for (const [from, to] of [[a, b], [b, a]] as const) {
    const row = links.get(from) ?? new Map<number, number>()
    row.set(to, (row.get(to) ?? 0) + weight)
    links.set(from, row)
  }
}

// moved puts each node with the neighbours that it gains most by, until none
// gains any more, and returns which group each is in.
function moved(nodes: ReadonlyMap<number, readonly number[]>, links: Weights, most: number): Map<number, number> {
  const of = new Map([...nodes.keys()].map((n) => [n, n]))
  const degree = new Map([...nodes.keys()].map((n) => [n, sum(links.get(n)?.values() ?? [])]))
  const weight = new Map(degree)
  const size = new Map([...nodes].map(([n, members]) => [n, members.length]))
  const all = sum(degree.values()) || 1
  const add = (to: Map<number, number>, key: number, by: number): void => void to.set(key, (to.get(key) ?? 0) + by)
  for (let pass = 0, changed = true; changed && pass < 20; pass++) {
    changed = false
    for (const [n, members] of nodes) {
      const from = of.get(n) ?? n
      const own = degree.get(n) ?? 0
      add(weight, from, -own)
      add(size, from, -members.length)
      const near = new Map<number, number>([[from, 0]])
      for (const [other, w] of links.get(n) ?? []) if (other !== n) add(near, of.get(other) ?? other, w)
      let best = { group: from, gain: (near.get(from) ?? 0) - (own * (weight.get(from) ?? 0)) / all }
      for (const [group, w] of near) {
        const gain = w - (own * (weight.get(group) ?? 0)) / all
        if (gain > best.gain + 1e-9 && (size.get(group) ?? 0) + members.length <= most) best = { group, gain }
      }
      changed ||= best.group !== from
      of.set(n, best.group)
      add(weight, best.group, own)
      add(size, best.group, members.length)
    }
  }
  return of
}

function joined(groups: ReadonlyMap<number, readonly number[]>, of: ReadonlyMap<number, number>): Map<number, number[]> {
  const next = new Map<number, number[]>()
  for (const [group, members] of groups) {
    const to = of.get(group) ?? group
    next.set(to, [...(next.get(to) ?? []), ...members])
  }
  return next
}

function between(links: Weights, of: ReadonlyMap<number, number>): Weights {
  const next: Weights = new Map()
  for (const [a, row] of links) {
    for (const [b, w] of row) {
      const to = next.get(of.get(a) ?? a) ?? new Map<number, number>()
      const key = of.get(b) ?? b
      to.set(key, (to.get(key) ?? 0) + w)
      next.set(of.get(a) ?? a, to)
    }
  }
  return next
}

// inOrder begins with the group that has the most relations and continues with
// the one most related to those before.
function inOrder(groups: number[], links: Weights): number[] {
  const pull = new Map(groups.map((g) => [g, sum(links.get(g)?.values() ?? []) * 1e-6]))
  const order: number[] = []
  while (pull.size > 0) {
    let next = groups[0] ?? 0
    let strongest = -1
    for (const [g, p] of pull) if (p > strongest) [next, strongest] = [g, p]
    pull.delete(next)
    order.push(next)
    for (const [g, w] of links.get(next) ?? []) if (pull.has(g)) pull.set(g, (pull.get(g) ?? 0) + w)
  }
  return order
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const n of numbers) total += n
  return total
}
