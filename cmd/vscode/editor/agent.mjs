// An agent: the client's side of MCP on the stdio of `berth mcp`.
import { spawn } from 'node:child_process'

export class Agent {
  static async start(program, env) {
    const agent = new Agent(spawn(program, ['mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] }))
    await agent.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'film', version: '1' } })
    agent.write({ method: 'notifications/initialized' })
    return agent
  }

  constructor(child) {
    this.child = child
    this.last = 0
    this.waiting = new Map()
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        const message = JSON.parse(line)
        this.waiting.get(message.id)?.(message)
      }
    })
  }

  write(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  ask(method, params) {
    const id = ++this.last
    this.write({ id, method, params })
    return new Promise((resolve) => this.waiting.set(id, resolve))
  }

  // call calls a tool and returns its text, decoded where it is JSON.
  async call(root, name, args) {
    const { result, error } = await this.ask('tools/call', { name, arguments: { projectRoot: root, ...args } })
    const text = result?.content[0]?.text ?? error?.message ?? ''
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }

  close() {
    this.child.stdin.end()
  }
}
