import { reveal } from '../../canvas/view'
import { findTable } from '../../store/design'
import { useStore } from '../../store/state'
import { Icon } from '../../ui/Icon'
import { Breakable } from '../lib/parts'
import { say, toneMarks, toneOf } from '../lib/words'
import { summaryOf, type ChangeTree as Tree, type TableChanges } from './tree'

export function ChangeTree({ tree }: { tree: Tree }) {
  return (
    <ul className="plain-list change-tree" aria-label="Changes by table" data-testid="change-tree">
      {tree.schemas.map((name) => (
        <li key={`schema ${name}`} className="tone-add change-leaf">
          <span aria-hidden="true">+</span> new schema {name}
        </li>
      ))}
      {tree.tables.map((t) => (
        <Branch key={t.key} changes={t} />
      ))}
    </ul>
  )
}

const words = { add: 'Added', drop: 'Dropped', change: 'Changed' } as const

function Branch({ changes }: { changes: TableChanges }) {
  const id = useStore((s) => s.design && changes.tone !== 'drop' && findTable(s.design, changes.table.schema, changes.table.name)?.id)
  return (
    <li className="change-branch" data-testid="change-table">
      <details open={changes.items.length > 0 && changes.items.length <= 30}>
        <summary>
          <span className={`change-mark tone-${changes.tone}`}>
            <span aria-hidden="true">{toneMarks[changes.tone]}</span>
            <span className="visually-hidden">{words[changes.tone]}: </span>
          </span>
          <span className="change-name">
            <Breakable text={changes.title} />
          </span>
          <span className="quiet">{summaryOf(changes)}</span>
        </summary>
        {changes.items.length === 0 && <p className="quiet change-leaf">{changes.tone === 'add' ? 'The whole table is new; its script has every column.' : 'The whole table goes, with its rows.'}</p>}
        <ul className="plain-list">
          {changes.items.map((item, i) => (
            <li key={i} className={`change-leaf tone-${toneOf(item.kind)}`}>
              <span aria-hidden="true">{toneMarks[toneOf(item.kind)]}</span>{' '}
              <span>
                <Breakable text={say(item)} />
              </span>
            </li>
          ))}
        </ul>
      </details>
      {id && (
        <button type="button" className="icon-button" aria-label={`Show ${changes.title} on the canvas`} title="Show on the canvas" onClick={() => reveal([id])}>
          <Icon name="fit" />
        </button>
      )}
    </li>
  )
}
