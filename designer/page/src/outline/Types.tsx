import { useMemo } from 'react'
import { kindOf, nameOf } from '../forms/types/words'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { showForm } from '../ui/showForm'
import { inOrder } from './rows'
import './views.css'

// Types lists the enums and domains of the design: to open one, and to make
// another. A database that has none of its own shows nothing.
export function Types() {
  const possible = useStore((s) => (s.dialect?.namedTypes?.length ?? 0) > 0)
  const design = useStore((s) => s.design)
  const types = design?.types
  const sorted = useMemo(() => [...(types ?? [])].sort((a, b) => inOrder.compare(a.schema, b.schema) || inOrder.compare(a.name, b.name)), [types])
  if (!possible || !design) return null
  return (
    <section className="views types" aria-label="Types" data-testid="types">
      <header className="views-head">
        <h2>Types</h2>
        <button type="button" className="button small" title="New enum or domain" data-testid="add-type" onClick={() => showForm({ kind: 'type', table: null, type: null })}>
          <Icon name="plus" /> New
        </button>
      </header>
      {sorted.length > 0 && (
        <ul className="views-list">
          {sorted.map((type) => (
            <li key={type.id} className="view-row">
              <button type="button" className="view-name" title={`${type.kind}, ${kindOf(type)}`} data-testid={`type-${nameOf(design, type)}`} onClick={() => showForm({ kind: 'type', table: null, type: type.id })}>
                <span className="outline-name">{nameOf(design, type)}</span>
                <span className="visually-hidden">, </span>
                <span className="view-count">
                  {type.kind}, {kindOf(type)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
