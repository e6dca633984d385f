import { visible } from './planText'

// Ask is one thing that a project's own files want of the person, as GET /trust
// has it.
export interface Ask {
  digest: string
  words: string
  detail?: string
  file: string
  line: number
  trusted: boolean
}

// listOf is a list of asks as text, each with where it stands.
export function listOf(asks: readonly Ask[]): string {
  return asks.map((a) => [`• ${visible(a.words)}`, `  ${placeOf(a)}`, ...(a.detail ? [`  ${visible(a.detail)}`] : [])].join('\n')).join('\n\n')
}

export function placeOf({ file, line }: Ask): string {
  return `${visible(file)}:${line}`
}

// within is a file's path below a project, or as it is if it is elsewhere.
export function within(root: string, file: string): string {
  const rest = file.slice(root.length)
  return file.startsWith(root) && /^[\\/]/.test(rest) ? rest.slice(1) : file
}
