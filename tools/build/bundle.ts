import { basename, join } from 'node:path'
import type { OutputChunk, OutputOptions } from 'rolldown'
import { rolldown } from 'rolldown'
import type { Published } from './published.ts'
import { builtOf, dependenciesOf, entriesOf, fileOf, packageOf, readManifest, sourceOf } from './published.ts'

type Entries = Readonly<Record<string, string>>

/** Writes the code of a package: a file per entry and worker, and what they share. Answers with the packages it imports. */
export async function bundle(published: Published): Promise<ReadonlySet<string>> {
  const { program, isOneCore } = published
  const source = sourceOf(published)
  const entries = entriesOf(readManifest(source)).map(([path, file]) => [fileOf(path), join(source, file)])
  const chunks = await write(
    published,
    {
      ...Object.fromEntries(entries),
      ...(program && { [basename(program, '.ts')]: join(source, program) }),
    },
    isOneCore ? { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } : {},
  )
  // Each worker is one file of its own: it loads nothing that it does not need.
  for (const worker of published.workers ?? []) {
    const entry = { [`workers/${basename(worker)}`]: join(source, 'src', `${worker}.ts`) }
    chunks.push(...(await write(published, entry, { codeSplitting: false })))
  }
  const own = new Set(chunks.map(({ fileName }) => fileName))
  return new Set(
    chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((id) => !own.has(id) && !id.startsWith('node:'))
      .map(packageOf),
  )
}

async function write(published: Published, input: Entries, output: OutputOptions): Promise<OutputChunk[]> {
  const source = sourceOf(published)
  const dependencies = dependenciesOf(published)
  const starts = new Set(Object.values(input))
  const build = await rolldown({
    input,
    external: (id) => id.startsWith('node:') || packageOf(id) in dependencies,
    // What is for Node only is imported by its name with `node:`, and nothing else may bring it into a browser.
    platform: published.bundles ? 'node' : 'neutral',
    treeshake: { moduleSideEffects: (id) => !id.startsWith(source) || starts.has(id) },
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(`${published.folder}: ${log.message}`)
      handle(level, log)
    },
  })
  const written = await build.write({
    dir: join(builtOf(published), 'dist'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
    ...output,
  })
  await build.close()
  return written.output.filter((file) => file.type === 'chunk')
}
