// The extension's code as two files: what the editor waits for, and the rest,
// which the first reads once the editor goes on.
import { build } from 'esbuild'
import { define } from './reserved.mjs'

// rest has the first file find the second by the name that it has in a bundle.
const rest = {
  name: 'rest',
  setup: (on) => on.onResolve({ filter: /^\.\/main$/ }, ({ kind }) => (kind === 'dynamic-import' ? { path: './main.cjs', external: true } : null)),
}

// bundle writes both into a folder.
export async function bundle(folder) {
  await build({
    entryPoints: ['src/extension.ts', 'src/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    plugins: [rest],
    define,
    supported: { 'dynamic-import': false }, // require, which the editor answers 'vscode' to
    minify: true,
    logLevel: 'warning',
  })
}
