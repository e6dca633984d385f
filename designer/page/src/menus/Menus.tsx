import { useEffect } from 'react'
import { useSelector } from '../store/store'
import { ContextMenu } from './ContextMenu'
import { menus, watchMenus } from './opening'

export { AddMenu } from './AddMenu'

// Menus listens for what asks for a context menu, and shows the one that is
// open. It is loaded once the page is there, with all that only menus need.
export function Menus() {
  const opened = useSelector(menus, (s) => s.opened)
  useEffect(watchMenus, [])
  return opened && <ContextMenu opened={opened} />
}
