import { defineConfig } from 'vitest/config'
import { define } from './reserved.mjs'

export default defineConfig({ define, test: { include: ['src/**/*.test.ts'], testTimeout: 60_000, expect: { poll: { timeout: 20_000 } } } })
