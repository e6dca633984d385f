import type { PanelDefinition } from '../registry'

const panel: PanelDefinition = {
  id: 'transfer',
  title: 'Import, export',
  icon: 'upload',
  order: 50,
  wide: true,
  load: () => import('./TransferPanel'),
}

export default panel
