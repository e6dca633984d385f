import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

// The change card is one file: a chat's host shows the text of a resource, with
// nothing beside it to load.
function oneFile(): Plugin {
  return {
    name: 'berth-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      let script = ''
      let style = ''
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script = part.code.trim()
        else style = String(part.source).trim()
        Reflect.deleteProperty(bundle, name)
      }
      const source = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Change card</title>
<style>${style}</style>
</head>
<body>
<main id="card"></main>
<script>${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
      this.emitFile({ type: 'asset', fileName: 'card.html', source })
    },
  }
}

export default defineConfig({
  plugins: [oneFile()],
  publicDir: false,
  build: {
    target: 'es2023',
    outDir: 'card',
    emptyOutDir: false, // card.go is there
    cssCodeSplit: false,
    lib: { entry: resolve(import.meta.dirname, 'src/card/main.ts'), formats: ['iife'], name: 'card' },
  },
})
