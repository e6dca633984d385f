// Bundles the extension, and copies the designer's page beside it: the page is
// the webview's own document.
import { cp, rm } from 'node:fs/promises'
import { build } from 'esbuild'

await rm('out', { recursive: true, force: true })
await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  minify: true,
  logLevel: 'warning',
})
await cp('../../designer/page/dist', 'out/page', { recursive: true })
