// Bundles the extension, and copies the designer's page beside it: the page is
// the webview's own document.
import { cp, rm } from 'node:fs/promises'
import { bundle } from './bundle.mjs'

await rm('out', { recursive: true, force: true })
await bundle('out')
await cp('../../designer/page/dist', 'out/page', { recursive: true })
