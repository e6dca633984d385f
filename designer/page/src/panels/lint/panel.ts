import type { PanelDefinition } from '../registry'
import { useLint } from './watch'

const panel: PanelDefinition = {
  id: 'lint',
  title: 'Lint',
  icon: 'lint',
  order: 25,
  load: () => import('./LintPanel'),
  useBadge: () => useLint() || undefined,
}

export default panel
