import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'

/**
 * Bundles the process into one JavaScript file. It starts several times per round, and stripping the types of three
 * hundred files at every start would take longer than the rest.
 */
export async function bundleProcess(): Promise<{
  readonly program: string
  readonly remove: () => Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-crash-program-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    ssr: { noExternal: true, target: 'node' },
    plugins: [withoutProviders],
    build: {
      ssr: fileURLToPath(new URL('process.ts', import.meta.url)),
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
