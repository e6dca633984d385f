import { useState } from 'react'
import type { Question } from '../../api/tools'
import { toast } from '../../store/toasts'
import { Dialog } from '../../ui/Dialog'
import { refused, type Plan, type Side } from '../lib/api'
import { Note } from '../lib/parts'
import { messageOf } from '../lib/text'
import { Conflicts } from './Conflicts'
import { accept, begin, messageIn, type Reply } from './operations'

interface DriftProps {
  plan: Plan
  connection: string
  onDone: () => void
}

// Drift resolves the two states in which nothing new can be published: a design
// that conflicts with its database, and an interrupted publish.
export function Drift({ plan, connection, onDone }: DriftProps) {
  const [busy, setBusy] = useState(false)
  const [question, setQuestion] = useState<{ question: Question; choices: Choices } | null>(null)
  const rebase = async (choices: Choices, asked: Question | null): Promise<void> => {
    setBusy(true)
    setQuestion(null)
    const of = { operation: 'rebase' as const, connectionId: connection, payload: { choices } }
    try {
      const answer = asked ? { reply: await accept(of, asked, '', () => undefined) } : await begin(of)
      if ('question' in answer) setQuestion({ question: answer.question, choices })
      else settle(answer.reply, onDone)
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const conflicts = plan.conflicts ?? []
  return (
    <>
      {plan.from > 0 && (
        <Note tone="warn" live testId="interrupted">
          <p>
            {plan.from} of {plan.steps.length} statements are made. Publishing goes on with the rest. Giving up keeps what is made, and plans the rest anew.
          </p>
          <button type="button" className="button small" disabled={busy} data-testid="give-up" onClick={() => void rebase([], null)}>
            Give up the rest …
          </button>
        </Note>
      )}
      {conflicts.length > 0 && <Conflicts key={conflicts.map((c) => c.id).join('\n')} conflicts={conflicts} busy={busy} onResolve={(choices) => void rebase(choices, null)} />}
      {question && <Asked message={messageIn(question.question)} onAnswer={(yes) => (yes ? void rebase(question.choices, question.question) : setQuestion(null))} />}
    </>
  )
}

type Choices = { conflict: string; side: Side }[]

function settle(reply: Reply, onDone: () => void): void {
  if (refused(reply)) toast('bad', reply.message)
  else toast('good', 'The design has taken over what you chose. No database was changed.')
  onDone()
}

function Asked({ message, onAnswer }: { message: string; onAnswer: (yes: boolean) => void }) {
  return (
    <Dialog title="Rebase the design" testId="rebase-question" onClose={() => onAnswer(false)}>
      <p className="asked">{message}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
        <button type="button" className="button primary" data-testid="rebase-yes" onClick={() => onAnswer(true)}>
          Yes, do it
        </button>
      </div>
    </Dialog>
  )
}
