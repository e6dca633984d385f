import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { IconName } from '../ui/Icon'

// A side panel plugs in by a file src/panels/<feature>/panel.ts that exports
// a PanelDefinition as its default. The shell finds it; nothing else changes.
export interface PanelDefinition {
  id: string // in the address: #panel=<id>
  title: string
  icon: IconName
  order: number // place among the tabs, smaller first
  load: () => Promise<{ default: ComponentType }> // loaded when first opened
  // useBadge is a hook: a number on the tab, undefined: none.
  useBadge?: () => number | undefined
  wide?: boolean // needs more room than a list
  designless?: boolean // there also while the project has no design
}

export interface Panel extends PanelDefinition {
  Component: LazyExoticComponent<ComponentType>
}

const modules = import.meta.glob<{ default: PanelDefinition }>('./*/panel.ts', { eager: true })

export const panels: readonly Panel[] = Object.values(modules)
  .map(({ default: p }) => ({ ...p, Component: lazy(p.load) }))
  .sort((a, b) => a.order - b.order)
