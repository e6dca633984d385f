// Browsers by a part of what they call themselves, the more special ones first:
// each also names those that it is built like.
const known: [part: RegExp, name: string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

// browserOf names the program that shows the page.
export function browserOf(agent: string, inEditor: boolean): string {
  if (inEditor) return 'editor'
  return known.find(([part]) => part.test(agent))?.[1] ?? 'browser'
}
