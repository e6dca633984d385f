import { openDesign } from '../store/live'
import { shallow } from '../store/store'
import { useStore } from '../store/state'

// ConnectionPicker names the project and its database, and leads to another.
export function ConnectionPicker() {
  const root = useStore((s) => s.projectRoot)
  const connection = useStore((s) => s.connection)
  const where = useStore((s) => (s.design ? `${s.dialect?.title ?? s.design.dialect} · ${s.design.database}` : ''))
  const choices = useStore((s) => choicesOf(s.list), shallow)
  const project = root.split(/[\\/]/).findLast((part) => part !== '') ?? root
  return (
    <div className="picker">
      <span className="project" title={root}>
        {project}
      </span>
      <span className="slash" aria-hidden="true">
        /
      </span>
      {choices.length > 1 ? (
        <select aria-label="Connection" title={where} data-testid="connection" value={connection} onChange={(e) => void openDesign(e.target.value)}>
          {choices.map((choice) => {
            const [id = '', name = ''] = choice.split('\n')
            return (
              <option key={id} value={id}>
                {name}
              </option>
            )
          })}
        </select>
      ) : (
        <span className="connection" title={where} data-testid="connection">
          {choices[0]?.split('\n')[1] ?? connection}
        </span>
      )}
      <span className="where wide-only">{where}</span>
    </div>
  )
}

// choicesOf lists "id\nname" of every connection, and of designs whose
// connection is no longer configured.
function choicesOf(list: { connections: { id: string; name: string }[]; designs: { connection: string; name: string }[] }): string[] {
  const all = new Map(list.connections.map((c) => [c.id, c.name]))
  for (const d of list.designs) if (!all.has(d.connection)) all.set(d.connection, `${d.name} (no longer configured)`)
  return [...all].map(([id, name]) => `${id}\n${name}`)
}
