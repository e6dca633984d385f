import { shallow } from '../../store/store'
import { useStore } from '../../store/state'

// PublishTo is where a design without a database is published to: a connection, or
// a SQLite file that is yet to be made.
export interface PublishTo {
  to: string // a connection; '': none
  file: string | null // below the project; null: no new one
}

// useTargets are the connections that a design without a database can be
// published to, databases of its dialect, and whether to a new file; null: it
// has a database.
export function useTargets(connection: string): { others: string[]; file: boolean } | null {
  const designs = useStore((s) => s.design?.server === 'design')
  const dialect = useStore((s) => s.design?.dialect)
  const others = useStore(({ list }) => {
    const without = new Set(list.designs.filter((d) => d.server === 'design').map((d) => d.connection))
    return list.connections.filter((c) => c.id !== connection && c.dialect === dialect && !without.has(c.id)).map((c) => `${c.id}\n${c.name}`)
  }, shallow)
  return designs ? { others, file: dialect === 'sqlite' } : null
}

const newFile = '\n' // is in no connection's id

interface PublishTargetProps {
  targets: { others: string[]; file: boolean }
  target: PublishTo
  onChange: (target: PublishTo) => void
}

// PublishTarget chooses the target.
export function PublishTarget({ targets, target, onChange }: PublishTargetProps) {
  return (
    <>
      <label className="hstack">
        To
        <select
          value={target.file === null ? target.to : newFile}
          data-testid="publish-to"
          onChange={(e) => onChange(e.target.value === newFile ? { to: '', file: 'app.db' } : { to: e.target.value, file: null })}
        >
          {targets.others.map((other) => {
            const [id = '', name = ''] = other.split('\n')
            return (
              <option key={id} value={id}>
                {name}
              </option>
            )
          })}
          {targets.file && <option value={newFile}>New SQLite file …</option>}
        </select>
      </label>
      {target.file !== null && (
        <input
          type="text"
          value={target.file}
          aria-label="The new file, below the project’s folder"
          spellCheck={false}
          autoCapitalize="off"
          data-testid="publish-file"
          onChange={(e) => onChange({ to: '', file: e.target.value })}
        />
      )}
    </>
  )
}
