import type { NamedType } from '../../api/namedType'
import { plural } from '../../panels/lib/text'
import { titleOf, type Design } from '../../store/design'

// nameOf is how columns name a type.
export function nameOf(design: Pick<Design, 'defaultSchema'>, type: Pick<NamedType, 'schema' | 'name'>): string {
  return titleOf(design, type)
}

// kindOf says what a type is, in few words.
export function kindOf({ values = [], domain }: NamedType): string {
  return domain ? domain.base : plural(values.length, 'value')
}

// usersOf lists the columns that have a type, or a list of it.
export function usersOf(design: Design, type: NamedType): string[] {
  const name = nameOf(design, type).toLowerCase()
  return [...design.tables.values()].flatMap((t) =>
    t.columns.filter((c) => c.dataType.toLowerCase().replace(/(\[\])+$/, '') === name).map((c) => `${titleOf(design, t)}.${c.name}`),
  )
}
