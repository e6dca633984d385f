import type { PanelDefinition } from '../registry'
import { useReviewCount } from './watch'

const panel: PanelDefinition = {
  id: 'review',
  title: 'Review',
  icon: 'check',
  order: 15,
  wide: true,
  load: () => import('./ReviewPanel'),
  useBadge: () => useReviewCount() || undefined,
}

export default panel
