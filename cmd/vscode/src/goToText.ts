// namesOf are the names that a table may have whose word stands in a program:
// OrderItem → orderitem, order_item, and both as one and as many.
export function namesOf(word: string): Set<string> {
  const plain = word.replace(/^[`"'[]+|[`"'\]]+$/g, '')
  const snake = plain.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  const names = [plain, snake].map((n) => n.toLowerCase())
  return new Set(names.flatMap((n) => [n, ...many(n), ...one(n)]))
}

function many(name: string): string[] {
  if (name.endsWith('y')) return [`${name}s`, `${name.slice(0, -1)}ies`]
  return [`${name}s`, `${name}es`]
}

function one(name: string): string[] {
  const list: string[] = []
  if (name.endsWith('ies')) list.push(`${name.slice(0, -3)}y`)
  if (name.endsWith('es')) list.push(name.slice(0, -2))
  if (name.endsWith('s')) list.push(name.slice(0, -1))
  return list
}
