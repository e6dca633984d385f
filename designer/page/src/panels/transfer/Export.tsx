import { lazy, Suspense, useMemo, useState } from 'react'
import { store, useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { getScript, refused, type TextFormat } from '../lib/api'
import { fileName, save } from '../lib/download'
import { Choice, Failed, Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { messageOf } from '../lib/text'
import { dialects } from './formats'
import { toPng } from './png'
import { dark, draw, light, type Drawing } from './scene'

const ScriptView = lazy(() => import('../lib/ScriptView'))

type Format = TextFormat | 'picture'

const formats: { id: Format; text: string }[] = [
  { id: 'sql', text: 'SQL' },
  { id: 'dbml', text: 'DBML' },
  { id: 'prisma', text: 'Prisma' },
  { id: 'mermaid', text: 'Mermaid' },
  { id: 'markdown', text: 'Markdown' },
  { id: 'json', text: 'JSON' },
  { id: 'picture', text: 'Picture' },
]

const extensions: Record<TextFormat, string> = { sql: 'sql', dbml: 'dbml', prisma: 'prisma', mermaid: 'mmd', markdown: 'md', json: 'json' }

// Export hands the design out as a text or a picture.
export function Export() {
  const [format, setFormat] = useState<Format>('sql')
  return (
    <>
      <Choice label="Format" choices={formats} chosen={format} onChoose={setFormat} testId="export-format" />
      {format === 'picture' ? <Picture /> : <Text format={format} />}
    </>
  )
}

function Text({ format }: { format: TextFormat }) {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const own = useStore((s) => s.design?.dialect ?? '')
  const name = useStore((s) => s.design?.name ?? '')
  const [dialect, setDialect] = useState('')
  const asked = format === 'sql' && dialect !== own ? dialect : ''
  const [wanted, setWanted] = useState(false)
  const ownable = format === 'sql' && own === 'postgres' && asked === ''
  const owners = ownable && wanted
  const script = useResource(`${connection} ${format} ${asked} ${owners}\n${version}`, (signal) => getScript(connection, { format, dialect: asked, owners }, signal), 100)
  const reply = script.data
  const text = reply && !refused(reply) ? reply.text : ''
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      toast('good', 'Copied.')
    } catch {
      toast('bad', 'The browser does not let this page copy; download it instead.')
    }
  }
  const file = fileName(asked ? `${name}.${asked}` : name, extensions[format])
  return (
    <>
      <div className="hstack">
        {format === 'sql' && (
          <label className="hstack">
            For
            <select value={dialect || own} data-testid="export-dialect" onChange={(e) => setDialect(e.target.value)}>
              {dialects.map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                  {id === own ? ' (as it is)' : ''}
                </option>
              ))}
            </select>
          </label>
        )}
        {ownable && (
          <label className="hstack">
            <input type="checkbox" checked={wanted} data-testid="export-owners" onChange={(e) => setWanted(e.target.checked)} />
            Owners and rights
          </label>
        )}
        <button type="button" className="button" disabled={text === ''} data-testid="export-copy" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" className="button primary" disabled={text === ''} data-testid="export-download" onClick={() => save(file, new Blob([text], { type: 'text/plain;charset=utf-8' }))}>
          Download {file}
        </button>
      </div>
      {script.error && <Failed what="The text" error={script.error} again={script.reload} />}
      {reply && refused(reply) && (
        <Note tone="bad" live>
          {reply.message}
        </Note>
      )}
      {reply && !refused(reply) && <Notes notes={reply.notes ?? []} />}
      {!reply && script.loading && <Loading what="the text" />}
      {text !== '' && (
        <Suspense fallback={<Loading what="the text" />}>
          <ScriptView text={text} dialect={format === 'sql' ? asked || own : ''} label={`Design as ${format}`} />
        </Suspense>
      )}
    </>
  )
}

// Notes say what is not as it was, on the way to another dialect or format.
function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <details className="notice warn lossy" data-testid="export-notes">
      <summary>
        {notes.length === 1 ? 'One thing is' : `${notes.length} things are`} not the same there
      </summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  )
}

function Picture() {
  const design = useStore((s) => s.confirmed)
  const [busy, setBusy] = useState(false)
  const [night, setNight] = useState(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
  const name = design?.name ?? 'design'
  const drawing = useMemo((): Drawing | null => design && draw(design, store.get().positions, night ? dark : light, store.get().items ?? {}), [design, night])
  if (!drawing || !design) return <Loading what="the picture" />
  const png = async (): Promise<void> => {
    setBusy(true)
    try {
      save(fileName(name, 'png'), await toPng(drawing))
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className="hstack">
        <button type="button" className="button primary" data-testid="export-svg" onClick={() => save(fileName(name, 'svg'), new Blob([drawing.svg], { type: 'image/svg+xml' }))}>
          Download SVG
        </button>
        <button type="button" className="button primary" disabled={busy} data-testid="export-png" onClick={() => void png()}>
          {busy ? 'Drawing …' : 'Download PNG'}
        </button>
        <label className="hstack">
          <input type="checkbox" checked={night} onChange={(e) => setNight(e.target.checked)} />
          Dark
        </label>
      </div>
      <p className="quiet">
        All {design.tables.size} tables with the areas and notes among them, as they stand on the canvas, whatever is filtered there.
      </p>
      <Preview drawing={drawing} />
    </>
  )
}

function Preview({ drawing }: { drawing: Drawing }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([drawing.svg], { type: 'image/svg+xml' })), [drawing])
  return <img className="picture" src={url} alt="The design as it will be in the file" data-testid="export-preview" onLoad={() => URL.revokeObjectURL(url)} />
}
