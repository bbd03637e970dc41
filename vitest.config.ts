import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'examples/**/*.test.ts', 'tools/**/*.test.ts'],
    reporters: ['default', './tools/count-reporter.ts'],
  },
})
