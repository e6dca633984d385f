import { lazy, Suspense, useMemo, useState } from 'react'
import { useStore } from '../../store/state'
import { getChanges, getPlan, getScript, refused, type DiffItem, type Plan, type Refused } from '../lib/api'
import { Choice, Failed, Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { ChangeTree } from './ChangeTree'
import { Drift } from './Drift'
import { PublishDialog } from './PublishDialog'
import { PlanSteps } from './PlanSteps'
import { Standing } from './Standing'
import { textOf, treeOf } from './tree'
import { TrialAndPublish } from './TrialAndPublish'
import './changes.css'

const ScriptView = lazy(() => import('../lib/ScriptView'))

// What the panel knows: the plan, or why there is none and the changes from
// the database as it was last read.
interface Known {
  plan: Plan | null
  refusal: Refused | null
  changes: DiffItem[]
}

async function know(connection: string, signal: AbortSignal): Promise<Known> {
  const plan = await getPlan(connection, signal)
  if (!refused(plan)) return { plan, refusal: null, changes: plan.changes }
  const { changes } = await getChanges(connection, signal)
  return { plan: null, refusal: plan, changes }
}

type View = 'tree' | 'text' | 'script' | 'schema'

const views: { id: View; text: string }[] = [
  { id: 'tree', text: 'Tree' },
  { id: 'text', text: 'Text' },
  { id: 'script', text: 'SQL of changes' },
  { id: 'schema', text: 'Whole schema' },
]

// ChangesPanel shows what stands between the design and its database, and is
// where it is published. Looking runs nothing.
export default function ChangesPanel() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const sync = useStore((s) => s.confirmed?.sync ?? 'synced')
  const [view, setView] = useState<View>('tree')
  const [publishing, setPublishing] = useState<{ connection: string; version: string; to: string } | null>(null)
  const known = useResource(`${connection}\n${version} ${sync}`, (signal) => know(connection, signal), 200)
  const { data } = known
  return (
    <div className="pane changes" data-testid="changes">
      <Standing plan={data?.plan ?? null} count={data?.changes.length ?? null} loading={known.loading} reload={known.reload} />
      {known.error && <Failed what="The changes" error={known.error} again={known.reload} />}
      {data?.refusal && (
        <Note tone="bad" live testId="plan-refused">
          {data.refusal.message}
        </Note>
      )}
      {data?.plan && <Drift key={version} plan={data.plan} connection={connection} onDone={known.reload} />}
      <Choice label="View" choices={views} chosen={view} onChoose={setView} testId="changes-view" />
      {view === 'schema' ? <WholeSchema /> : !data ? known.loading && <Loading what="the changes" /> : <Proposed view={view} known={data} />}
      {data?.plan && <TrialAndPublish key={`${connection} ${version}`} plan={data.plan} connection={connection} onPublish={(from, to) => setPublishing({ connection, version: from, to })} />}
      {publishing && (
        <PublishDialog
          {...publishing}
          onClose={() => {
            setPublishing(null)
            known.reload()
          }}
        />
      )}
    </div>
  )
}

function Proposed({ view, known }: { view: Exclude<View, 'schema'>; known: Known }) {
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const tree = useMemo(() => treeOf(known.changes, defaultSchema), [known.changes, defaultSchema])
  if (view === 'script') return <ScriptOfChanges plan={known.plan} />
  if (known.changes.length === 0) return <p className="empty-here">No changes: the design says what the database says.</p>
  if (view === 'tree') return <ChangeTree tree={tree} />
  return (
    <Suspense fallback={<Loading what="the text" />}>
      <ScriptView text={textOf(tree)} dialect="" label="Changes as text" />
    </Suspense>
  )
}

function ScriptOfChanges({ plan }: { plan: Plan | null }) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  const [form, setForm] = useState<'script' | 'steps'>('script')
  if (!plan) return <p className="empty-here">There is no plan to show; the reason is above.</p>
  if (plan.steps.length === 0) return <p className="empty-here">Nothing would run.</p>
  return (
    <>
      <div className="hstack spread">
        <p className="preview-only" data-testid="preview-only">
          Preview only. Nothing here has been run, and looking at it runs nothing.
        </p>
        <Choice
          label="As"
          choices={[
            { id: 'script', text: 'Script' },
            { id: 'steps', text: 'Steps' },
          ]}
          chosen={form}
          onChoose={setForm}
          testId="script-form"
        />
      </div>
      {form === 'steps' ? (
        <PlanSteps steps={plan.steps} from={plan.from} dialect={dialect} />
      ) : (
        <Suspense fallback={<Loading what="the script" />}>
          <ScriptView text={plan.script} dialect={dialect} label="SQL of the changes" />
        </Suspense>
      )}
    </>
  )
}

function WholeSchema() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const dialect = useStore((s) => s.design?.dialect ?? '')
  const script = useResource(`${connection}\n${version}`, (signal) => getScript(connection, { format: 'sql' }, signal), 150)
  if (script.error) return <Failed what="The script" error={script.error} again={script.reload} />
  if (!script.data) return <Loading what="the script" />
  if (refused(script.data)) return <Note tone="bad">{script.data.message}</Note>
  return (
    <>
      <p className="preview-only">The whole design as a script for an empty database. Nothing here has been run.</p>
      {script.data.notes?.map((note) => (
        <Note key={note} tone="info">
          {note}
        </Note>
      ))}
      <Suspense fallback={<Loading what="the script" />}>
        <ScriptView text={script.data.text} dialect={dialect} label="SQL of the whole schema" />
      </Suspense>
    </>
  )
}
