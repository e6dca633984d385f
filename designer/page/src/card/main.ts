import './card.css'
import { replyOf, shownBy, takenBack, visible, type Change, type Diagram } from './change'
import { drawDiagram, drawLines } from './diagram'
import { drawChange, drawPlan, drawReply, el } from './draw'
import { Host, type Context, type ToolResult } from './host'

const root = document.getElementById('card') as HTMLElement
let projectRoot = ''

const host = new Host(parent, {
  input: (args) => {
    if (typeof args['projectRoot'] === 'string') projectRoot = args['projectRoot']
  },
  result: show,
  context: follow,
})

function show(result: ToolResult): void {
  const shown = shownBy(result._meta)
  const said = drawReply(replyOf(result.content?.find((c) => c.type === 'text')?.text), result.isError ?? false)
  if (!shown) root.replaceChildren(...said)
  else if (shown.kind === 'plan') root.replaceChildren(...drawPlan(shown), el('footer', '', ...opens(shown.page)))
  else root.replaceChildren(...drawChange(shown), buttons(shown), ...(result.isError ? said : []))
  diagram = shown?.diagram
  fit()
}

// The diagram is drawn from this width of the view on, and not before.
const wide = matchMedia('(min-width: 600px)')
let diagram: Diagram | undefined
wide.addEventListener('change', fit)

function fit(): void {
  const drawn = root.querySelector('figure')
  if (!wide.matches || !diagram) {
    drawn?.remove()
    return
  }
  if (!drawn) root.querySelector('header')?.after(drawDiagram(diagram))
  const figure = root.querySelector('figure')
  if (figure) drawLines(figure, diagram)
}

// opens is the button that has the host open the page, whose address carries no
// key; nothing where the host opens none.
function opens(page: string | undefined): HTMLElement[] {
  if (!page || !host.can.openLinks) return []
  return [button('Open', '', () => host.ask('ui/open-link', { url: page }).catch(() => undefined))]
}

// buttons settle the card.
function buttons(c: Change): HTMLElement {
  const bar = el('footer', '')
  const state = el('span', 'aside', '')
  state.setAttribute('role', 'status')
  const keep = button('Keep', 'primary', () => settle('keep', 'Kept.'))
  const back = button('Take back', '', () => settle('take_back', takenBack(c)))
  if (host.can.serverTools) bar.append(keep, back)
  bar.append(...opens(c.page), state)

  const fail = (cause: unknown): void => {
    state.textContent = visible(cause instanceof Error ? cause.message : String(cause))
    keep.disabled = back.disabled = false
  }
  async function settle(action: string, done: string): Promise<void> {
    keep.disabled = back.disabled = true
    state.textContent = ''
    try {
      const answer = (await host.ask('tools/call', { name: 'schema_change_card', arguments: { projectRoot, action, nonce: c.nonce } })) as ToolResult
      const reply = replyOf(answer.content?.[0]?.text)
      if (answer.isError || !reply?.success) throw new Error(reply?.message ?? answer.content?.[0]?.text ?? 'The project does not answer.')
      keep.remove()
      back.remove()
      state.textContent = done
      if (action === 'take_back') tellModel(c, reply.version ?? '')
    } catch (cause) {
      fail(cause)
    }
  }
  return bar
}

// tellModel has the model know, at its next turn, why the design is another.
function tellModel(c: Change, version: string): void {
  if (!host.can.updateModelContext) return
  const text = `On the card of your call of ${c.did} on ${c.connection} the person pressed Take back. ${takenBack(c)} Its version is ${version}.`
  void host.ask('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined)
}

function button(text: string, className: string, press: () => unknown): HTMLButtonElement {
  const b = el('button', className, text) as HTMLButtonElement
  b.type = 'button'
  b.addEventListener('click', () => void press())
  return b
}

function follow(context: Context): void {
  if (context.theme) document.documentElement.dataset['theme'] = context.theme
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (value) document.documentElement.style.setProperty(name, value)
  }
}

new ResizeObserver(() => {
  fit()
  const { height } = document.documentElement.getBoundingClientRect()
  host.tell('ui/notifications/size-changed', { height: Math.ceil(height) })
}).observe(document.documentElement)
void host.start()
