import type { PanelDefinition } from '../registry'
import { usePending } from './watch'

const panel: PanelDefinition = {
  id: 'approvals',
  title: 'Approvals',
  icon: 'shield',
  order: 30,
  wide: true,
  designless: true,
  load: () => import('./ApprovalsPanel'),
  useBadge: () => usePending() || undefined,
}

export default panel
