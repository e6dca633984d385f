import { shallow } from '../store/store'
import { useStore } from '../store/state'
import { Menu } from '../ui/Menu'
import { additions } from './additions'

// AddMenu offers what can be put on the canvas, above the button that opens it.
export function AddMenu({ button, onClose }: { button: HTMLElement; onClose: () => void }) {
  const state = useStore(({ items, selected }) => ({ items, selected }), shallow)
  const { left, top } = button.getBoundingClientRect()
  return <Menu title="Add to the canvas" sections={[{ label: 'Add', choices: additions(state) }]} at={{ x: left, y: top }} above back={button} test="add-menu" onClose={onClose} />
}
