// The text of links into the designer: SCHEME://EXTENSION/designer?TARGET, the
// target as JSON in base64url. Editors decode and encode the parts of an address
// in their own ways, and names may hold any character; these letters stay.

export interface Target {
  root: string // of the project
  connection: string
  table: string // schema.name
}

export function linkTo(scheme: string, extension: string, target: Target): string {
  return `${scheme}://${extension}/designer?${Buffer.from(JSON.stringify(target)).toString('base64url')}`
}

// addressIn reads a link: the project, and what the designer shows, as it stands
// behind # in a browser. null: it is no such link.
export function addressIn(path: string, query: string): { root: string; address: string } | null {
  if (path !== '/designer') return null
  try {
    const given = JSON.parse(Buffer.from(query, 'base64url').toString()) as Partial<Record<keyof Target, unknown>>
    const { root, connection, table } = given
    if (typeof root !== 'string' || typeof connection !== 'string' || typeof table !== 'string') return null
    return { root, address: new URLSearchParams({ connection, table }).toString() }
  } catch {
    return null
  }
}
