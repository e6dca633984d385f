import type { DialectInfo, IndexMember, IndexMethod } from '../../api/dialect'
import type { Id } from '../../api/types'

// What an index can have depends on its method.

// methodsOf lists those of the indexes of a table, the ordinary one first.
export function methodsOf(dialect: DialectInfo | null, table: Id): readonly IndexMethod[] {
  return dialect?.indexMethodsOf?.[table] ?? dialect?.indexMethods ?? []
}

// takes reports whether an index of the method can have something. Of a method
// that edits do not give the server knows.
export function takes(methods: readonly IndexMethod[], method: string, member: IndexMember): boolean {
  const known = methods.find((m) => m.name === method)
  return known?.has.includes(member) ?? true
}

// noExpressions says why an index can have none; '': it can.
export function noExpressions(methods: readonly IndexMethod[], method: string, title: string): string {
  if (takes(methods, method, 'expression')) return ''
  const others = methods.filter((m) => m.has.includes('expression')).map((m) => m.name)
  if (others.length === 0) return `${title} indexes columns only. For an expression, add a computed column and index that.`
  return `An index of method ${method} takes columns only. For an expression, choose ${others.slice(0, 3).join(', ')}.`
}
