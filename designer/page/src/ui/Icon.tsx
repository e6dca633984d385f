// Icons are drawn here, 16 by 16, in the colour of the text around them.
const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  undo: 'M6 3L3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7',
  redo: 'M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H9',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  arrange: 'M2.5 3h4v3h-4zM9.5 3h4v3h-4zM6 10h4v3H6zM4.5 6v2h7V6M8 8v2',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  near: 'M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM3 2.5v3h3M13 2.5v3h-3M3 13.5v-3h3M13 13.5v-3h-3',
  key: 'M10.5 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8.7 7.3L3 13M5 11l1.5 1.5',
  link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 3.5L11 8.5M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-3.5L5 7.5',
  menu: 'M3 4.5h10M3 8h10M3 11.5h10',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  half: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 2.5v11M10 4v8M12 5.5v5',
  help: 'M6 6a2 2 0 1 1 2.8 1.9c-.5.2-.8.6-.8 1.3M8 11.6v.2',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  edit: 'M3 13l.6-2.8L10.5 3.3l2.2 2.2-6.9 6.9z',
  more: 'M4 8h.01M8 8h.01M12 8h.01',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  warn: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.3v.2',
  table: 'M2.5 3h11v10h-11zM2.5 6.5h11M6.5 6.5V13',
  code: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  upload: 'M8 10V3M5 5.5L8 2.5l3 3M3 10v3h10v-3',
  history: 'M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.8v3h3M8 5.5V8l2 1.5',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  folder: 'M2 4h4l1.5 1.5H14v7H2z',
  diff: 'M5 2.5v6M2 5.5h6M9 11.5h5M4 14h-.01',
  lint: 'M2.5 4l1.2 1.2L6 2.8M2.5 9l1.2 1.2L6 7.8M8.5 4h5M8.5 9h5M8.5 13h5M2.5 13h3',
  below: 'M2.5 3h11v10h-11zM2.5 9h11',
  beside: 'M2.5 3h11v10h-11zM9 3v10',
  outline: 'M2.5 3h11v10h-11zM6.5 3v10M4 5.5h1M4 8h1M4 10.5h1',
  hide: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM6.5 8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0M3 13L13 3',
  eye: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM6.5 8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  area: 'M2.5 3h11v10h-11zM2.5 5.8h5.5V3',
  note: 'M3 3h10v7l-3 3H3zM10 13v-3h3M5.5 6h5M5.5 8.5h3',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
