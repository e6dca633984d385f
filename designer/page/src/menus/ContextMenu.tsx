import { useEffect } from 'react'
import { useStore } from '../store/state'
import { Menu } from '../ui/Menu'
import { menuOf } from './entries'
import { closeMenu, type Opened } from './opening'

// ContextMenu is the menu of what was pressed, or has the focus.
export function ContextMenu({ opened: { target, at, back } }: { opened: Opened }) {
  const state = useStore((s) => s)
  const { title, sections } = menuOf(target, state)
  const gone = sections.length === 0 // dropped meanwhile
  useEffect(() => {
    if (gone) closeMenu()
  }, [gone])
  if (gone) return null
  return <Menu key={`${at.x} ${at.y}`} title={title} sections={sections} at={at} back={back} test="menu" onClose={closeMenu} />
}
