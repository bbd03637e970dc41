import { defineConfig } from 'vitest/config'

const BROWSER = 'tools/browser/**/*.test.ts'

export default defineConfig({
  test: {
    reporters: ['default', './tools/count-reporter.ts'],
    projects: [
      {
        test: {
          name: 'parts',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'examples/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', BROWSER],
          // As many as there are processors: most of them wait for something.
          maxWorkers: '100%',
          // A busy machine is slow, and not wrong.
          testTimeout: 20_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The whole product in a real browser. After the rest and one at a time: it measures what a person would feel.
        test: {
          name: 'browser',
          include: [BROWSER],
          globalSetup: ['tools/browser/prepare.ts'],
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
