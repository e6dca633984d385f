import { useEffect, useState } from 'react'
import { openProject } from '../../api/designs'
import type { Project } from '../../api/types'
import { toast } from '../../store/toasts'
import { Failed, Loading } from '../lib/parts'
import { ago, messageOf, visible } from '../lib/text'
import { useNow } from '../../ui/now'
import { syncWords } from '../../ui/syncWords'
import { nameOf, sorted } from './projects'
import { readProjects, useProjects } from './watch'
import './projects.css'

// ProjectsPanel lists the instances on this machine, and has their pages opened.
export default function ProjectsPanel() {
  const { projects, error, reading } = useProjects()
  const now = useNow()
  useEffect(() => void readProjects(), [])
  if (error && !projects) return <Failed what="The projects" error={error} again={() => void readProjects()} />
  if (!projects) return <Loading what="the projects" />
  return (
    <div className="pane" data-testid="projects">
      <div className="hstack spread">
        <p className="quiet">Projects that berth serves on this machine.</p>
        <button type="button" className="button small" disabled={reading} onClick={() => void readProjects()}>
          {reading ? 'Looking …' : 'Refresh'}
        </button>
      </div>
      <ul className="plain-list project-list">
        {sorted(projects).map((p) => (
          <li key={p.projectRoot}>
            <Entry project={p} now={now} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const states = {
  live: { text: 'running', title: 'An instance answers and has proved itself.' },
  stale: { text: 'failed', title: 'Nothing answers: the instance crashed. It starts anew with the next call for its project.' },
  'not answering': { text: 'not answering', title: 'Its port accepts connections and nothing answers: the instance hangs. End it with berth stop --force.' },
  squatted: { text: 'port taken', title: 'Something else answers on this port.' },
} as const

function Entry({ project, now }: { project: Project; now: number }) {
  const [busy, setBusy] = useState(false)
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      await openProject(project.projectRoot)
      toast('info', `${nameOf(project)} opens in your browser.`)
    } catch (cause) {
      toast('bad', messageOf(cause))
    }
    setBusy(false)
  }
  const { state, self } = project
  return (
    <article className={`project-card ${state}`} data-testid="project" data-state={state}>
      <h3>{visible(nameOf(project))}</h3>
      <span className={`project-state ${state}`} title={states[state].title}>
        {self ? 'this one' : states[state].text}
      </span>
      <p className="quiet project-root">{visible(project.projectRoot)}</p>
      <p className="quiet">
        Port {project.port}
        {project.version && ` · ${visible(project.version)}`}
        {project.startedAt && ` · started ${ago(Date.parse(project.startedAt), now)}`}
        {project.activeDesigner && ` · ${visible(project.activeDesigner)}`}
        {project.syncState && `: ${syncWords[project.syncState]}`}
        {!!project.approvals && ` · ${project.approvals} ${project.approvals === 1 ? 'waits' : 'wait'} for approval`}
      </p>
      {!self && (
        <button type="button" className="button small" disabled={busy || state !== 'live'} aria-label={`Open ${nameOf(project)}`} data-testid="open-project" onClick={() => void go()}>
          {busy ? 'Opening …' : 'Open'}
        </button>
      )}
    </article>
  )
}
