import { textWidth } from '../../canvas/measure'

// Texts in the picture.

export const letters = 12.5 // size of names and types

// escape makes a text part of XML.
export function escape(text: string): string {
  // What XML has no place for is left out; what means something in it is escaped.
  // eslint-disable-next-line no-control-regex -- controls are what XML refuses
  const legal = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

// fitted cuts a text to a width.
export function fitted(text: string, width: number, size = letters, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text
  const shown = Array.from(text)
  while (shown.length > 1 && textWidth(`${shown.join('')}…`, size, bold) > width) shown.pop()
  return `${shown.join('')}…`
}
