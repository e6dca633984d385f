import { useProposed } from '../../store/proposed'
import type { PanelDefinition } from '../registry'

const panel: PanelDefinition = {
  id: 'changes',
  title: 'Changes',
  icon: 'diff',
  order: 20,
  wide: true,
  load: () => import('./ChangesPanel'),
  useBadge: () => useProposed() ?? undefined,
}

export default panel
