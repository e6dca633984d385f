import { useId } from 'react'
import { store } from '../store/state'
import { Dialog } from '../ui/Dialog'
import { showKeys, useShortcuts } from '../ui/shortcuts'
import { isOff, setSingleKeys, useSingleKeys } from '../ui/singleKeys'

const gestures: [what: string, does: string][] = [
  ['Drag a table', 'Move it; with Shift, select an area'],
  ['Right click, long press, Shift+F10', 'What can be done with what is there'],
  ['Drag from column to column', 'Relate them'],
  ['Double click a name', 'Rename in place'],
  ['Double click a row, a relation', 'Edit the column, the relation'],
  ['Double click beside tables', 'New table there'],
  ['Tab, arrows', 'Go from table to table'],
  ['Ctrl+arrows', 'Take the next table into the selection'],
  ['Shift+arrows', 'Move what is selected'],
  [`${showKeys('mod+c')}, ${showKeys('mod+v')}`, 'Copy what is selected, and paste it here or in another project'],
  ['Alt+Down', 'Go to the columns of a table; Alt+Up or Escape, back'],
  ['Enter, F2', 'Edit the table or the column, rename it'],
]

export default function HelpSheet() {
  const shortcuts = useShortcuts()
  const on = useSingleKeys()
  const byText = new Map<string, string[]>()
  for (const s of shortcuts) byText.set(s.does, [...(byText.get(s.does) ?? []), s.keys])
  return (
    <Dialog title="Shortcuts" onClose={() => store.set({ helping: false })} testId="help">
      <SingleKeys on={on} />
      <dl className="help">
        {[...byText].map(([does, keys]) => (
          <div key={does} className={keys.every((k) => isOff(k, on)) ? 'help-off' : undefined}>
            <dt>
              {keys.map((k) => (
                <kbd key={k}>{showKeys(k)}</kbd>
              ))}
            </dt>
            <dd>
              {does}
              {keys.every((k) => isOff(k, on)) && ': off'}
            </dd>
          </div>
        ))}
        {gestures.map(([what, does]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

// SingleKeys turns the shortcuts of a character alone on and off, and says
// which these are.
function SingleKeys({ on }: { on: boolean }) {
  const id = useId()
  return (
    <div className="help-switch">
      <label className="check">
        <input type="checkbox" role="switch" checked={on} aria-describedby={id} data-testid="single-keys" onChange={(event) => setSingleKeys(event.target.checked)} />
        Single-key shortcuts
      </label>
      <p id={id} className="hint" role="status">
        {on
          ? 'A character alone, such as ? or 1, is a shortcut. Turn this off if you speak to the computer, or press keys by mistake.'
          : 'A character alone does nothing now: what is off is marked below, and A and R decide no approval. The ? button above the canvas shows this sheet. Keys with Ctrl, Cmd or Alt, Enter, Escape, Delete and the arrows are as they were.'}
      </p>
    </div>
  )
}
