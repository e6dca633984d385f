// unfit says why a page is not shown at a browser's address; null: it is.
//
//   shared    there is a path: every program behind that proxy has this origin,
//             and could read what the page keeps
//   insecure  no HTTPS: a browser has no cryptography for such a page
export function unfit(path: string, secure: boolean): 'shared' | 'insecure' | null {
  if (path !== '/') return 'shared'
  return secure ? null : 'insecure'
}
