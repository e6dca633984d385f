import type { PanelDefinition } from '../registry'

const panel: PanelDefinition = {
  id: 'activity',
  title: 'Activity',
  icon: 'history',
  order: 10,
  load: () => import('./ActivityPanel'),
}

export default panel
