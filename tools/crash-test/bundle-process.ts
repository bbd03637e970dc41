import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'

/**
 * The process as one file of JavaScript: it starts several times a round, and stripping the types of three hundred
 * files each time would take longer than everything else.
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

// The model of the test is its own, and the providers are half of what would have to be read.
const withoutProviders: Plugin = {
  name: 'without-providers',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('@ai-sdk/') ? '\0provider' : undefined),
  load: (id) => (id === '\0provider' ? 'export {}' : undefined),
}
