import { defineConfig } from 'vitest/config'

const BROWSER = 'tools/browser/**/*.test.ts'
/** Measures what a person would feel, so nothing else runs beside it. */
const MEASURED = 'tools/browser/budgets.test.ts'

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
        // The whole product in a real browser, after the rest. Two at a time: each waits for the other side much.
        test: {
          name: 'browser',
          include: [BROWSER],
          exclude: [MEASURED],
          globalSetup: ['tools/browser/prepare.ts'],
          maxWorkers: 2,
          testTimeout: 90_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser-measured',
          include: [MEASURED],
          globalSetup: ['tools/browser/prepare.ts'],
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
