import type { Plan } from './attachment'

// What a person is shown of a plan. What comes from outside is text: hidden
// characters are written out.

// oneLine is a plan in the few words of a notification.
export function oneLine(project: string, plan: Plan): string {
  const [file] = plan.files ?? []
  const what = file ? `${file.before ? 'edit' : 'create'} ${file.path}` : plan.title.replace(/\?$/, '')
  return withoutLinks(inOneLine(`${project}: ${plan.client || 'an agent'} wants to: ${what}`))
}

// document is a plan that is no edit of files, as SQL or text.
export function document(project: string, plan: Plan): string {
  const statements = plan.statements ?? []
  const sql = statements.length > 0 ? statements.map((s) => `${s.trim().replace(/;$/, '')};`).join('\n\n') : plan.detail
  const about = [plan.title, `project ${project}`]
  if (plan.connection) about.push(`connection ${plan.connection}, database ${plan.database ?? ''} on ${plan.server ?? ''}`)
  about.push(`asked for by ${plan.client || 'an agent'}; waits until ${new Date(plan.expires).toLocaleTimeString()}`)
  if (plan.nameToType) about.push(`data is lost; approving it takes the name ${plan.nameToType}`)
  if (plan.cut) about.push('there is more than is shown, so it can only be rejected')
  const lead = plan.format === 'sql' ? '-- ' : ''
  return `${about.map((line) => lead + inOneLine(line)).join('\n')}\n\n${visible(sql)}\n`
}

// inOneLine is a text that cannot end the comment it stands in.
function inOneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ')
}

// withoutLinks is a text in which a notification finds no link: an editor makes
// one of [words](command:…), and the text is an agent's or a file's.
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (')
}

// visible writes out what a reader would not see: control characters but line
// breaks and tabs, and what changes direction or has no width.
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => (c === '\n' || c === '\t' ? c : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`))
}
