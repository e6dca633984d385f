import type { PanelDefinition } from '../registry'

const panel: PanelDefinition = {
  id: 'data',
  title: 'Data',
  icon: 'table',
  order: 40,
  wide: true,
  load: () => import('./DataPanel'),
}

export default panel
