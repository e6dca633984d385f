import type { Colour } from '../api/items'
import type { IconName } from './Icon'

// Choice is one thing that can be done: a button or an item of a menu.
export interface Choice {
  icon: IconName
  label: string
  words?: string // its name in a menu, where there is room for more
  test: string
  run: () => void
  keys?: string // that do the same, as a Shortcut has them
  colour?: Colour // is shown in place of the icon
  checked?: boolean // it is the one of several that holds now
  spare?: boolean // a phone has no room for its button; another place has it too
}
