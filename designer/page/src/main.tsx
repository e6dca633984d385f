import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import './app/theme.css'
import './app/shell.css'
import './ui/ui.css'
import { restoreOutline, restoreTheme } from './store/actions'
import { start } from './store/live'
import { watchPresence } from './store/presenceWatch'
import { unsent } from './store/queue'
import { watchDatabase } from './store/sight'

restoreTheme()
restoreOutline()
addEventListener('beforeunload', (event) => {
  if (unsent()) event.preventDefault() // the browser asks before edits are lost
})
// A file that is dropped beside what takes one would replace the page.
for (const type of ['dragover', 'drop'] as const) {
  addEventListener(type, (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
}
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
watchDatabase()
watchPresence()
void start()
