// The document of the webview: the built page, whose files are elsewhere, under
// a policy of its own.

export interface PageOptions {
  html: string // as built
  base: string // where its files are
  theme: string // the address of the editor's colours
  source: string // what the webview's files come from, for the policy
  nonce: string // for styles that code views inject
  root: string // of the project
  address: string // what to show; '': what was shown
}

export function pageFor(o: PageOptions): string {
  const policy = [
    "default-src 'none'",
    `script-src ${o.source}`,
    `style-src ${o.source} 'nonce-${o.nonce}'`,
    `img-src ${o.source} data: blob:`,
    `font-src ${o.source}`,
    `connect-src ${o.source}`,
    `worker-src ${o.source} blob:`,
  ].join('; ')
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">`,
    `<meta name="berth-style-nonce" content="${o.nonce}">`,
    `<meta name="berth-root" content="${escape(o.root)}">`,
    o.address ? `<meta name="berth-address" content="${escape(o.address)}">` : '',
  ].join('\n    ')
  return o.html
    .replace(/(src|href)="\.\//g, (_, name: string) => `${name}="${o.base}`)
    .replace('<head>', `<head>\n    <base href="${escape(o.base)}">\n    ${head}`)
    .replace('</head>', `  <link rel="stylesheet" href="${escape(o.theme)}">\n  </head>`)
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}
