import type { PanelDefinition } from '../registry'
import { useProjects } from './watch'

const panel: PanelDefinition = {
  id: 'projects',
  title: 'Projects',
  icon: 'folder',
  order: 60,
  designless: true,
  load: () => import('./ProjectsPanel'),
  useBadge: () => useProjects().failed || undefined,
}

export default panel
