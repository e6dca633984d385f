import type { PanelDefinition } from '../registry'
import { useOpenReviews } from './useReview'

const panel: PanelDefinition = {
  id: 'review',
  title: 'Review',
  icon: 'check',
  order: 15,
  wide: true,
  load: () => import('./ReviewPanel'),
  useBadge: () => useOpenReviews() || undefined,
}

export default panel
