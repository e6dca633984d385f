import { useId, useState } from 'react'
import type { Receipt } from '../../api/edits'
import { head } from '../../store/queue'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { importText, refused, type ReadAs, type Refused } from '../lib/api'
import { Sql } from '../lib/Code'
import { Note } from '../lib/parts'
import { messageOf } from '../lib/text'
import { countReceipt, toneMarks } from '../lib/words'
import { Drop } from './Drop'
import { biggestText, bytesOf, dialects, formatOfName, formatOfText, type ImportFormat } from './formats'

const titles: Record<ImportFormat, string> = { sql: 'SQL', dbml: 'DBML', prisma: 'Prisma schema', json: 'JSON of berth' }

interface Trial {
  of: string // text, format and version that the trial was made with
  reply: Receipt | Refused
}

// Import tries a text first and shows what it would do; only what was tried
// is taken in.
export function Import() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const [dialect, setDialect] = useState('')
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ImportFormat | null>(null)
  const [trial, setTrial] = useState<Trial | null>(null)
  const [busy, setBusy] = useState(false)
  const area = useId()
  const guessed = formatOfName(name) ?? formatOfText(text)
  const format = chosen ?? guessed ?? 'sql'
  const of = `${version}\n${format}\n${dialect}\n${text}`
  const tried = trial?.of === of ? trial.reply : null
  const tooBig = bytesOf(text) > biggestText
  const take = (next: string, from: string): void => {
    setText(next)
    setName(from)
    setChosen(null)
    setDialect('')
  }
  const run = async (dryRun: boolean): Promise<void> => {
    setBusy(true)
    try {
      const reply = await importText(connection, { text, format, dialect: format === 'dbml' ? '' : dialect, expectedVersion: dryRun ? version : head(), dryRun })
      if (dryRun || refused(reply)) setTrial({ of, reply })
      else {
        toast('good', 'Imported into the design. No database was changed; undo takes it back.')
        take('', '')
        setTrial(null)
      }
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="import">
      <p className="quiet">Tables are taken into the design, where you can look at them. No database is changed before you publish. Dumps are read too, of any of the four databases.</p>
      <Drop onText={take}>
        <label className="labelled" htmlFor={area}>
          Paste a text here, or drop a file
        </label>
        <textarea id={area} className="mono" rows={10} spellCheck={false} value={text} data-testid="import-text" placeholder={'CREATE TABLE …\n\nor DBML: Table … { … }\n\nor Prisma: model … { … }'} onChange={(e) => setText(e.target.value)} />
      </Drop>
      <div className="hstack">
        <label className="hstack">
          Read as
          <select value={format} data-testid="import-format" onChange={(e) => setChosen(e.target.value as ImportFormat)}>
            {Object.entries(titles).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {format !== 'dbml' && (
          <label className="hstack">
            Of
            <select value={dialect} data-testid="import-dialect" onChange={(e) => setDialect(e.target.value)}>
              <option value="">its own marks say</option>
              {dialects.map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {name && <span className="quiet">{name}</span>}
      </div>
      {tooBig && <Note tone="bad">This text is larger than 4 MiB, which is the most that can be imported at once.</Note>}
      {tried && <Tried reply={tried} />}
      <div className="hstack">
        <button type="button" className="button" disabled={busy || tooBig || text.trim() === ''} data-testid="import-try" onClick={() => void run(true)}>
          {busy ? 'Reading …' : 'Dry run'}
        </button>
        <button type="button" className="button primary" disabled={busy || !tried || refused(tried)} title={tried ? undefined : 'Do the dry run first: it shows what would come'} data-testid="import-apply" onClick={() => void run(false)}>
          Import into the design
        </button>
      </div>
    </div>
  )
}

function Tried({ reply }: { reply: Receipt | Refused }) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  if (refused(reply)) {
    return (
      <div data-testid="import-refused">
        <Note tone="bad" live>
          {reply.message}
        </Note>
        {reply.place?.excerpt && (
          <pre className="excerpt" data-testid="import-place">
            {reply.place.excerpt}
          </pre>
        )}
        {reply.failedStep && <Sql code={reply.failedStep.statement} dialect={dialect} label="The statement that was refused" />}
      </div>
    )
  }
  const { changes, warnings } = reply.receipt
  const as = (reply.receipt as { readAs?: ReadAs }).readAs
  const counts = (reply.receipt as { counts?: Record<string, number> }).counts
  const lines = countReceipt(changes, counts)
  return (
    <div className="import" data-testid="import-tried">
      <Note tone={lines.length > 0 ? 'good' : 'info'} live>
        {lines.length === 0 ? (
          <p>Nothing would change: the design has all of it already.</p>
        ) : (
          <>
            <p>Tried only; nothing has been changed yet. It would bring:</p>
            <ul className="receipt">
              {lines.map(({ tone, text }) => (
                <li key={text}>
                  <span aria-hidden="true">{toneMarks[tone]}</span> {text}
                </li>
              ))}
            </ul>
          </>
        )}
      </Note>
      {as && <AsWhat as={as} />}
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
    </div>
  )
}

// AsWhat says as what a text was read, and why.
function AsWhat({ as }: { as: ReadAs }) {
  const title = dialects.find(([id]) => id === as.dialect)?.[1]
  return (
    <p className="quiet" data-testid="import-read-as">
      Read as {titles[as.format as ImportFormat]}
      {title && ` of ${title}`}
      {as.because && (
        <>
          {' '}
          by line {as.line}: <code>{as.because}</code>
        </>
      )}
      .{as.byText && ' No server read it: expressions are as they are written.'}
    </p>
  )
}
