import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Builds the plain page that e2e/bench measures beside berth's own. It ships
// nowhere; the benchmark says where the build goes.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
})
