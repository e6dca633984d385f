import { useState } from 'react'
import { dialects } from '../panels/transfer/formats'
import { Drop } from '../panels/transfer/Drop'
import { Choice } from '../panels/lib/parts'
import { messageOf } from '../panels/lib/text'
import { begin, type Beginning } from './begin'
import { useGuess } from './useGuess'
import './start.css'

const beginnings: { id: Beginning; text: string }[] = [
  { id: 'blank', text: 'Blank' },
  { id: 'sample', text: 'Sample' },
  { id: 'text', text: 'Paste' },
]

// Start begins a design without a database: a blank one, a sample, or the
// tables of a text.
export default function Start() {
  const [beginning, setBeginning] = useState<Beginning>('blank')
  const [dialect, setDialect] = useState('')
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const guessed = useGuess(beginning === 'text' ? text : '')
  const meant = dialect || guessed?.dialect || 'sqlite'
  const run = async (): Promise<void> => {
    setBusy(true)
    setWrong('')
    try {
      await begin({ beginning, name, dialect: meant, text })
    } catch (cause) {
      setWrong(messageOf(cause))
      setBusy(false)
    }
  }
  return (
    <form
      className="start"
      data-testid="start"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void run()
      }}
    >
      <Choice label="Begin with" choices={beginnings} chosen={beginning} onChoose={setBeginning} testId="start-with" />
      {beginning === 'text' && (
        <Drop onText={(next) => setText(next)}>
          <textarea className="mono" rows={8} spellCheck={false} aria-label="SQL, DBML or a Prisma schema" value={text} data-testid="start-text" placeholder={'CREATE TABLE …\n\nor DBML, or a Prisma schema'} onChange={(e) => setText(e.target.value)} />
          {guessed && <Guessed guess={guessed.guess} />}
        </Drop>
      )}
      <div className="hstack">
        <label className="hstack">
          For
          <select value={meant} data-testid="start-dialect" onChange={(e) => setDialect(e.target.value)}>
            {dialects.map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label className="hstack">
          Called
          <input type="text" value={name} placeholder="as the folder" spellCheck={false} autoCapitalize="off" data-testid="start-name" onChange={(e) => setName(e.target.value)} />
        </label>
        <button type="submit" className="button primary" disabled={busy || (beginning === 'text' && text.trim() === '')} data-testid="start-begin">
          {busy ? 'Beginning …' : 'Start the design'}
        </button>
      </div>
      {wrong && (
        <p className="refused" role="alert" data-testid="start-wrong">
          {wrong}
        </p>
      )}
      <p className="quiet">One line is written into .berth/config.yaml.</p>
    </form>
  )
}

const formats: Record<string, string> = { sql: 'SQL', dbml: 'DBML', prisma: 'a Prisma schema', json: 'a design in JSON' }

function Guessed({ guess }: { guess: { format?: string; dialect?: string; because?: string; line?: number } }) {
  const title = dialects.find(([id]) => id === guess.dialect)?.[1]
  if (!guess.format) return <p className="quiet">This is neither SQL, DBML nor a Prisma schema that berth knows.</p>
  return (
    <p className="quiet" data-testid="start-guess" role="status">
      This is {formats[guess.format] ?? guess.format}
      {title && ` of ${title}`}
      {guess.because && (
        <>
          , by line {guess.line}: <code>{guess.because}</code>
        </>
      )}
      .
    </p>
  )
}
