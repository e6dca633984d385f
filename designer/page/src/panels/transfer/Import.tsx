import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import type { Receipt } from '../../api/edits'
import { head } from '../../store/queue'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { importText, refused, type Refused } from '../lib/api'
import { Sql } from '../lib/Code'
import { Note } from '../lib/parts'
import { messageOf } from '../lib/text'
import { countReceipt, toneMarks } from '../lib/words'
import { biggestText, bytesOf, formatOfName, formatOfText, type ImportFormat } from './formats'

const titles: Record<ImportFormat, string> = { sql: 'SQL DDL', dbml: 'DBML', json: 'JSON of berth' }

interface Trial {
  of: string // text, format and version that the trial was made with
  reply: Receipt | Refused
}

// Import tries a text first and shows what it would do; only what was tried
// is taken in.
export function Import() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const dialect = useStore((s) => s.dialect?.title ?? '')
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ImportFormat | null>(null)
  const [trial, setTrial] = useState<Trial | null>(null)
  const [busy, setBusy] = useState(false)
  const area = useId()
  const guessed = formatOfName(name) ?? formatOfText(text)
  const format = chosen ?? guessed ?? 'sql'
  const of = `${version}\n${format}\n${text}`
  const tried = trial?.of === of ? trial.reply : null
  const tooBig = bytesOf(text) > biggestText
  const take = (next: string, from: string): void => {
    setText(next)
    setName(from)
    setChosen(null)
  }
  const run = async (dryRun: boolean): Promise<void> => {
    setBusy(true)
    try {
      const reply = await importText(connection, { text, format, dialect: '', expectedVersion: dryRun ? version : head(), dryRun })
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
      <p className="quiet">Tables are taken into the design, where you can look at them. No database is changed before you publish. SQL is read as {dialect || 'the design’s dialect'}.</p>
      <Drop onText={take}>
        <label className="labelled" htmlFor={area}>
          Paste a text here, or drop a file
        </label>
        <textarea id={area} className="mono" rows={10} spellCheck={false} value={text} data-testid="import-text" placeholder={'CREATE TABLE …\n\nor DBML: Table … { … }'} onChange={(e) => setText(e.target.value)} />
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
        {reply.failedStep && <Sql code={reply.failedStep.statement} dialect={dialect} label="The statement that was refused" />}
      </div>
    )
  }
  const { changes, warnings } = reply.receipt
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
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
    </div>
  )
}

interface DropProps {
  onText: (text: string, name: string) => void
  children: ReactNode
}

// Drop takes a file by dropping or choosing it.
function Drop({ onText, children }: DropProps) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (file.size > biggestText) {
      toast('bad', `${file.name} is larger than 4 MiB, which is the most that can be imported at once.`)
      return
    }
    onText(await file.text(), file.name)
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    <div
      className={over ? 'drop over' : 'drop'}
      data-testid="import-drop"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {children}
      <div className="hstack">
        <button type="button" className="button small" onClick={() => input.current?.click()}>
          Choose a file …
        </button>
        <input ref={input} type="file" accept=".sql,.ddl,.dbml,.json,.txt" hidden aria-label="File to import" data-testid="import-file" onChange={(e) => void read(e.target.files?.[0])} />
      </div>
    </div>
  )
}
