// A machine in miniature: a home, two projects with databases, an editor with
// the extension, and the log that the extension keeps for this test.
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { until } from './until.mjs'

const run = promisify(execFile)

const settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'chat.disableAIFeatures': true,
  'window.restoreWindows': 'none',
  'git.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
}

export class World {
  static async make(options) {
    const world = new World()
    world.dir = await realpath(await mkdtemp(join(tmpdir(), 'berth-editor-')))
    world.options = options
    world.log = join(world.dir, 'log.jsonl')
    world.env = {
      PATH: process.env.PATH, HOME: join(world.dir, 'home'), BERTH_HOME: join(world.dir, 'berth'),
      BERTH_FIRST_PORT: String(options.firstPort), BERTH_VSCODE_LOG: world.log, LANG: 'C.UTF-8',
    }
    await mkdir(world.env.HOME, { recursive: true })
    await writeFile(world.log, '')
    await world.install()
    return world
  }

  // install has the editor install the extension's file, as a person does by
  // the command line, and finds the program inside.
  async install() {
    await this.configure({})
    const { stdout } = await run(process.execPath, [...this.editorAt(), '--install-extension', this.options.vsix], { env: this.editorEnv() })
    const [folder, ...more] = (await readdir(join(this.dir, 'extensions'))).filter((name) => name.startsWith('berth-dev.berth-'))
    if (!folder || more.length > 0) throw new Error(`the .vsix was not installed once: ${stdout}`)
    this.program = join(this.dir, 'extensions', folder, 'bin', 'berth')
  }

  // editorAt is what starts the editor of this world.
  editorAt() {
    return [this.options.codeServer, '--user-data-dir', join(this.dir, 'data'), '--extensions-dir', join(this.dir, 'extensions'), '--disable-telemetry', '--disable-update-check']
  }

  // editorEnv is without a gallery: nothing is loaded from the network.
  editorEnv() {
    return { ...this.env, EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9"}' }
  }

  // configure writes the editor's settings; it reads them when it starts.
  async configure(more) {
    for (const kind of ['User', 'Machine']) {
      await mkdir(join(this.dir, 'data', kind), { recursive: true })
      await writeFile(join(this.dir, 'data', kind, 'settings.json'), JSON.stringify({ ...settings, ...more }))
    }
  }

  async project(name, sql, files = {}) {
    const root = join(this.dir, 'projects', name)
    await mkdir(root, { recursive: true })
    const db = new DatabaseSync(join(root, `${name}.db`))
    db.exec(sql)
    db.close()
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), text)
    }
    return root
  }

  async startEditor() {
    this.port = await freePort()
    const args = [...this.editorAt(), '--auth', 'none', '--bind-addr', `127.0.0.1:${this.port}`, '--reconnection-grace-time', '5']
    this.editor = spawn(process.execPath, args, { env: this.editorEnv(), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    this.said = ''
    for (const stream of [this.editor.stdout, this.editor.stderr]) stream.setEncoding('utf8').on('data', (text) => (this.said += text))
    await until('the editor listens', async () => (await fetch(`http://127.0.0.1:${this.port}/healthz`).catch(() => null))?.ok)
  }

  // address is where a window on a folder is, or on a workspace of several.
  address(root) {
    const kind = root.endsWith('.code-workspace') ? 'workspace' : 'folder'
    return `http://127.0.0.1:${this.port}/?${kind}=${encodeURIComponent(root)}`
  }

  // events are what the extension has logged, in all windows, oldest first.
  async events(kind) {
    const all = (await readFile(this.log, 'utf8')).split('\n').filter(Boolean).map((line) => JSON.parse(line))
    return kind ? all.filter((e) => e.event === kind) : all
  }

  // heard waits for so many events that fit.
  heard(kind, fits = () => true, count = 1) {
    return until(`${count} × ${kind} is logged`, async () => {
      const found = (await this.events(kind)).filter(fits)
      return found.length >= count && found
    })
  }

  // stopEditor kills the editor with its own group.
  async stopEditor() {
    const gone = new Promise((resolve) => this.editor.on('exit', resolve))
    try {
      process.kill(-this.editor.pid, 'SIGKILL')
      await gone
    } catch {
      // it has ended
    }
  }

  async close() {
    await this.stopEditor()
    for (const port of await this.instances()) {
      try {
        process.kill(port.pid, 'SIGTERM')
      } catch {
        // it has ended too
      }
    }
    await until('the instances end', async () => (await this.instances()).every(({ pid }) => !existsSync(`/proc/${pid}`)))
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }

  async instances() {
    const files = await readdir(join(this.env.BERTH_HOME, 'instances')).catch(() => [])
    return Promise.all(files.filter((f) => f.endsWith('.json')).map(async (f) => JSON.parse(await readFile(join(this.env.BERTH_HOME, 'instances', f), 'utf8')))).catch(() => [])
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
