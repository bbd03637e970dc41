import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'

/** A change to the code of the product, to check that the test notices. Throws when there is nothing to change. */
export type Change = (code: string, path: string) => string | undefined

/**
 * Bundles a process into one JavaScript file. It starts several times per round, and stripping the types of three
 * hundred files at every start would take longer than the rest.
 */
export async function bundleProcess(
  entry = 'process.ts',
  change?: Change,
): Promise<{
  readonly program: string
  readonly remove: () => Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-crash-program-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    ssr: { noExternal: true, target: 'node' },
    plugins: [withoutProviders, withoutOptional, ...(change ? [changing(change)] : [])],
    build: {
      ssr: fileURLToPath(new URL(entry, import.meta.url)),
      outDir: folder,
      minify: false,
      target: 'node22',
      rolldownOptions: {
        shimMissingExports: true,
        output: { entryFileNames: 'process.mjs', codeSplitting: false },
      },
    },
  })
  return {
    program: join(folder, 'process.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

// The test has its own model, and the provider packages are half of the code.
const withoutProviders: Plugin = {
  name: 'without-providers',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('@ai-sdk/') ? '\0provider' : undefined),
  load: (id) => (id === '\0provider' ? 'export {}' : undefined),
}

/** Packages that are used where they are installed. */
const OPTIONAL =
  /^winston|^logform$|^@opentelemetry\/(context-async-hooks|sdk-trace-base|exporter-(logs|trace)-otlp-proto)/

const withoutOptional: Plugin = {
  name: 'without-optional',
  enforce: 'pre',
  resolveId: (id) => (OPTIONAL.test(id) ? '\0optional' : undefined),
  load: (id) =>
    id === '\0optional'
      ? "module.exports = (() => { throw Object.assign(new Error('not installed'), { code: 'MODULE_NOT_FOUND' }) })()"
      : undefined,
}

const changing = (change: Change): Plugin => ({
  name: 'changed-on-purpose',
  enforce: 'pre',
  transform: (code, path) => change(code, path),
})
