import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { notices } from './build/notices.ts'

// The build is committed and must come out the same anywhere: names follow
// from contents, nothing from time or place.
export default defineConfig({
  base: './',
  plugins: [react(), notices()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false }, // it would be an inline script in effect
    assetsInlineLimit: 0, // no data: URLs, which the page's policy refuses
    chunkSizeWarningLimit: 2000, // the arranging worker, loaded when first asked for
    sourcemap: false,
    // What the first load has of these anyway is one file of it: cut up by what
    // else asks for which, it compresses worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: /src[\\/](api|store)[\\/](?!copying|linking|pasting)/ }] } } },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
  },
})
