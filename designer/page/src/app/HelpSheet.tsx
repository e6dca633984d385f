import { store } from '../store/state'
import { Dialog } from '../ui/Dialog'
import { showKeys, useShortcuts } from '../ui/shortcuts'

const gestures: [what: string, does: string][] = [
  ['Drag a table', 'Move it; with Shift, select an area'],
  ['Drag from column to column', 'Relate them'],
  ['Double click a name', 'Rename in place'],
  ['Tab, arrows', 'Go from table to table'],
  ['Ctrl+arrows', 'Take the next table into the selection'],
  ['Shift+arrows', 'Move what is selected'],
  [`${showKeys('mod+c')}, ${showKeys('mod+v')}`, 'Copy what is selected, and paste it here or in another project'],
  ['Enter, F2', 'Edit the table, rename it'],
]

export default function HelpSheet() {
  const shortcuts = useShortcuts()
  const byText = new Map<string, string[]>()
  for (const s of shortcuts) byText.set(s.does, [...(byText.get(s.does) ?? []), showKeys(s.keys)])
  return (
    <Dialog title="Shortcuts" onClose={() => store.set({ helping: false })} testId="help">
      <dl className="help">
        {[...byText].map(([does, keys]) => (
          <div key={does}>
            <dt>
              {keys.map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
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
