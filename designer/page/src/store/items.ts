import { Failure, Offline } from '../api/http'
import { getItems, putItems, type Item, type ItemChange, type Items } from '../api/items'
import { store } from './state'
import { toast } from './toasts'

// The areas and notes among the tables of the layout, which the instance keeps
// beside it. Those of a view are in State.spread.

const dirty = new Map<string, ItemChange | null>() // changed here, and not sent yet
const sending = new Set<string>()
const unmade = new Set<string>() // seen here, and refused by the instance with the rest of its request
let last: Promise<void> = Promise.resolve() // one request at a time: two could arrive the other way round
let told = 0 // how often anything was changed or saved here
let timer: ReturnType<typeof setTimeout> | undefined

// readItems returns null where the instance is of a berth that keeps none.
export async function readItems(connection: string): Promise<Items | null> {
  try {
    return (await getItems(connection)).items
  } catch (cause) {
    if (cause instanceof Failure && cause.code === 'not_found') return null
    throw cause
  }
}

// freshenItems reads what other pages have made of them; what is not saved yet
// stays.
export async function freshenItems(): Promise<void> {
  const { connection, items: before } = store.get()
  if (before === null) return
  const began = told
  const theirs = await readItems(connection)
  if (store.get().connection !== connection || !theirs) return
  if (told !== began) {
    // It may be older than what was done here meanwhile. What is still to be
    // saved is followed by a notice of its own.
    if (dirty.size === 0 && sending.size === 0) await freshenItems()
    return
  }
  unmade.clear()
  store.set(({ items }) => ({ items: joined(items ?? {}, theirs, new Set([...dirty.keys(), ...sending])) }))
}

// joined takes over all but those items that are this page's. One that has not
// changed stays the object that it was.
export function joined(mine: Items, theirs: Items, kept: ReadonlySet<string>): Items {
  const next: Record<string, Item> = {}
  for (const [id, item] of Object.entries(theirs)) if (!kept.has(id)) next[id] = same(mine[id], item) ? (mine[id] ?? item) : item
  for (const id of kept) if (mine[id]) next[id] = mine[id]
  return next
}

export function same(a: Item | null | undefined, b: Item | null | undefined): boolean {
  if (!a || !b) return !a === !b
  return (Object.keys(a) as (keyof Item)[]).every((field) => a[field] === b[field])
}

// putAll sets items here at once, and at the instance a moment later; null
// removes one.
export function putAll(change: Readonly<Record<string, Item | null>>, ongoing = false): void {
  const before = store.get().items ?? {}
  store.set({ items: withAll(before, change) })
  told++
  for (const [id, item] of Object.entries(change)) dirty.set(id, changeOf(unmade.has(id) ? undefined : before[id], item, dirty.get(id)))
  clearTimeout(timer)
  timer = setTimeout(() => void saveItems(), ongoing ? 300 : 0)
}

export function withAll(items: Items, change: Readonly<Record<string, Item | null>>): Items {
  const next: Record<string, Item> = { ...items }
  for (const [id, item] of Object.entries(change)) {
    if (item) next[id] = item
    else Reflect.deleteProperty(next, id)
  }
  return next
}

// changeOf is what the instance must be told: all of an item that it may not
// have, else the fields that are others, so that two pages which change
// different ones keep both.
export function changeOf(before: Item | undefined, after: Item | null, untold: ItemChange | null | undefined): ItemChange | null {
  if (!after || !before) return after
  if (untold === null || untold?.kind) return after
  const fields = Object.entries(after).filter(([field, value]) => before[field as keyof Item] !== value)
  return { ...untold, ...Object.fromEntries(fields) }
}

// forgetItems forgets what could not be told of a design that is left.
export function forgetItems(): void {
  dirty.clear()
  unmade.clear()
}

export function saveItems(): Promise<void> {
  last = last.then(save)
  return last
}

async function save(): Promise<void> {
  const { connection, online } = store.get()
  if (!online || dirty.size === 0) return
  const sent = Object.fromEntries(dirty)
  dirty.clear()
  for (const id of Object.keys(sent)) sending.add(id)
  try {
    await putItems(connection, sent)
  } catch (cause) {
    failed(sent, cause)
  } finally {
    sending.clear()
    told++
  }
}

// failed keeps what an instance that does not answer must still be told. What
// it refused is as it was.
function failed(sent: Record<string, ItemChange | null>, cause: unknown): void {
  if (!(cause instanceof Failure) || cause.code === 'internal') {
    for (const [id, change] of Object.entries(sent)) {
      const later = dirty.get(id)
      dirty.set(id, later === undefined ? change : later && change ? { ...change, ...later } : later)
    }
    if (!(cause instanceof Offline)) toast('warn', 'Areas and notes could not be saved; they are kept in this page and saved with the next change.')
    return
  }
  for (const [id, change] of Object.entries(sent)) {
    if (!change?.kind) continue
    unmade.add(id)
    const later = dirty.get(id)
    if (later) dirty.set(id, { ...change, ...later })
  }
  toast('bad', `Not kept: ${cause.message}`)
  setTimeout(() => void freshenItems().catch(() => undefined))
}
