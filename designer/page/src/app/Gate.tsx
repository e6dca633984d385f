import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { askToSignIn, onSignedIn } from '../api/session'
import { openDesign } from '../store/live'
import { useStore } from '../store/state'

const Start = lazy(() => import('../start/Start'))

// Gate is shown instead of the designer when there is none, and says what to do
// about it.
export function Gate() {
  const phase = useStore((s) => s.phase)
  const why = useStore((s) => s.why)
  const online = useStore((s) => s.online)
  const connection = useStore((s) => s.connection)
  const unsent = useStore((s) => s.pending.filter((p) => p.state !== 'settled').length)
  switch (phase) {
    case 'signedOut':
      return (
        <Message title="This page is not signed in" test="signed-out">
          {why && <p>{why}</p>}
          <SignIn />
        </Message>
      )
    case 'foreign':
      return (
        <Message title="Another project lives on this port now" test="foreign">
          <p>
            The instance that this page belongs to has gone, and another program answers in its place. Nothing was sent to it. Run{' '}
            <code>berth open</code> in your project’s folder.
          </p>
          {unsent > 0 && <p>{unsent === 1 ? 'One edit of yours was not made.' : `${unsent} edits of yours were not made.`}</p>}
        </Message>
      )
    case 'controlled':
      return (
        <Message title="Another program has left something in this browser" test="controlled">
          <p>
            A service worker of this address answers in the instance’s place. berth has none: a program that had this port before has left it. This page does not sign in
            through it, has removed it and loads again.
          </p>
          <p>
            If you read this for longer, close every tab of this address and run <code>berth open</code>.
          </p>
        </Message>
      )
    case 'shared':
      return (
        <Message title="The designer is not shown at this address" test="shared">
          <p>
            <code>{location.pathname}</code> is a path of a proxy: every program behind it has the same origin in this browser, and could read what this page holds. Forward the port
            itself, or use berth’s extension in an editor in the browser.
          </p>
        </Message>
      )
    case 'insecure':
      return (
        <Message title="This address needs HTTPS" test="insecure">
          <p>
            Browsers give a page at <code>{location.host}</code> no cryptography without HTTPS, and the designer proves with it who answers. Forward the port to <code>localhost</code>{' '}
            or give the address a certificate, and run <code>berth open --host</code> with it.
          </p>
        </Message>
      )
    case 'empty':
      return (
        <Message title="No database yet" test="no-connection">
          <p>Draw first, and publish to a database later. Nothing is contacted.</p>
          <Suspense fallback={null}>
            <Start />
          </Suspense>
          <p>
            Or name a database: <code>berth connect app.db</code>, or a URL. <code>berth doctor</code> tells where berth looked for one.
          </p>
          <Reload />
        </Message>
      )
    case 'failed':
      return (
        <Message title="The design cannot be read" test="failed">
          <p>{why}</p>
          <p>
            <code>berth doctor</code> tells more.
          </p>
          <button type="button" className="button primary" onClick={() => void openDesign(connection)}>
            Try again
          </button>
        </Message>
      )
    default:
      return (
        <Message title={online ? 'Opening the designer …' : 'Waiting for the instance …'} test="starting">
          {!online && (
            <p>
              Nothing answers on this port. If it stays so, run <code>berth open</code> in the project’s folder.
            </p>
          )}
        </Message>
      )
  }
}

// SignIn asks the instance to do what berth open does. This page gets nothing by
// it; where the browser that opens is this one, this tab finds its key.
function SignIn() {
  const [state, setState] = useState<'idle' | 'asking' | 'opened'>('idle')
  const [refused, setRefused] = useState('')
  useEffect(() => onSignedIn(() => location.reload()), [])
  const ask = async (): Promise<void> => {
    setState('asking')
    setRefused('')
    const why = await askToSignIn()
    setState(why === null ? 'opened' : 'idle')
    setRefused(why ?? '')
  }
  return (
    <>
      <button type="button" className="button primary" data-testid="sign-in" disabled={state === 'asking'} onClick={() => void ask()}>
        Sign in
      </button>
      {state === 'opened' && <p data-testid="sign-in-opened">The designer opens in your browser, in a tab of its own.</p>}
      {refused && (
        <p className="refused" data-testid="sign-in-refused" role="alert">
          {refused}
        </p>
      )}
      <p>
        Or run <code>berth open</code> in the project’s folder. Over SSH or in a container, <code>berth open --print</code> prints an address that signs in once.
      </p>
    </>
  )
}

function Reload() {
  return (
    <button type="button" className="button" onClick={() => location.reload()}>
      Reload
    </button>
  )
}

function Message({ title, test, children }: { title: string; test: string; children: ReactNode }) {
  return (
    <main className="gate" data-testid={`gate-${test}`} aria-live="polite">
      <img src="./icon.svg" alt="" width="48" height="48" />
      <h1>{title}</h1>
      {children}
    </main>
  )
}
