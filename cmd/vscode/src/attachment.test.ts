import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { Attachment, wordsOf, type State } from './attachment'

// A program in the place of berth: what it does is given as JavaScript.
async function program(body: string): Promise<{ file: string; dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'berth-attach-'))
  const file = join(dir, 'berth')
  await writeFile(file, `#!${process.execPath}\nconst say = (line) => console.log(JSON.stringify(line))\n${body}`)
  await chmod(file, 0o755)
  return { file, dir }
}

const ready = "say({type:'ready',projectRoot:process.argv[3],port:1,url:'u',pid:process.pid,version:'v',started:true,more:1})"
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 })
let open: Attachment | null = null

function attach({ file, dir }: { file: string; dir: string }): { states: State[]; attachment: Attachment; heard: unknown[] } {
  const states: State[] = []
  const heard: unknown[] = []
  const take = (what: unknown): void => void heard.push(what)
  open = new Attachment(file, dir, 'a window', { state: (state) => states.push(state), approvals: take, event: take, notice: take })
  return { states, attachment: open, heard }
}

afterEach(() => open?.close())

it('says where the project is served, and hands on what happens there', async () => {
  const fake = await program(`${ready}; say({type:'approvals',pending:0,approvals:null}); say({type:'event',event:{type:'shown'}}); say({type:'event',notice:{type:'trust'}}); process.stdin.resume()`)
  const { states, heard } = attach(fake)
  await soon(() => expect(heard).toEqual([[], { type: 'shown' }, { type: 'trust' }]))
  expect(states.map((s) => s.kind)).toEqual(['starting', 'ready'])
  expect(states[1]).toMatchObject({ ready: { projectRoot: fake.dir, port: 1 } })
})

it('answers requests by their numbers, and those that are open when the program ends', async () => {
  const fake = await program("const lines=[]; process.stdin.on('data', (d) => { for (const l of String(d).trim().split('\\n')) { const r = JSON.parse(l); if (r.op === 'never') process.exit(1); lines.unshift({type:'reply',id:r.id,code:r.op}); if (lines.length === 2) lines.forEach(say) } })")
  const { attachment } = attach(fake)
  const [a, b] = await Promise.all([attachment.request('a'), attachment.request('b')])
  expect([a.code, b.code]).toEqual(['a', 'b'])
  expect(await attachment.request('never')).toEqual({ error: 'Berth has ended' })
})

it('is started again when it is killed', async () => {
  const fake = await program(`${ready}; process.stdin.resume()`)
  const { states, attachment } = attach(fake)
  await soon(() => expect(states.at(-1)?.kind).toBe('ready'))
  process.kill(attachment.pid ?? 0, 'SIGKILL')
  await soon(() => expect(states.map((s) => s.kind)).toEqual(['starting', 'ready', 'lost', 'starting', 'ready']))
})

it('says why the project is not served', async () => {
  const { states } = attach(await program("console.error('berth: no such thing\\nhint: make one'); process.exit(3)"))
  await soon(() => expect(states.at(-1)).toEqual({ kind: 'failed', error: 'no such thing', hint: 'make one' }))
  const missing = attach({ file: '/nowhere/berth', dir: tmpdir() })
  await soon(() => expect(missing.states.at(-1)).toMatchObject({ kind: 'failed' }))
})

it('reads what berth says when it fails', () => {
  expect(wordsOf('log line\nberth: a\nhint: b\n')).toEqual({ error: 'a', hint: 'b' })
  expect(wordsOf('')).toEqual({ error: 'berth ended without a word', hint: '' })
})
