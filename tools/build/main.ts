import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { build as buildVite } from 'vite'
import { bundle } from './bundle.ts'
import { toPublishedManifest } from './manifest.ts'
import type { Published } from './published.ts'
import { BUILT, PUBLISHED, ROOT, builtOf, sourceOf } from './published.ts'
import { copyTypes, declareTypes } from './types.ts'

const HELP = `Usage: npm run build [-- --pack]

Builds every package as it is published, into dist/<folder>: code, types and source maps, its package.json, README and
licence. The repository itself runs from sources and needs no build.

  --pack    also write the tarballs, to dist/tarballs (npm run pack)`

const ADDRESS = /new URL\(\s*['"`]([^'"`:$]+)['"`]\s*,\s*import\.meta\.url/g

const { values } = parseArgs({ options: { help: { type: 'boolean' }, pack: { type: 'boolean' } } })
if (values.help) console.log(HELP)
else await build(values.pack ?? false)

async function build(isPacked: boolean): Promise<void> {
  await rm(BUILT, { recursive: true, force: true })
  console.log('Types …')
  await declareTypes(PUBLISHED.filter(({ program }) => !program))
  for (const published of PUBLISHED) {
    console.log(`${published.folder} …`)
    await buildPackage(published)
  }
  if (isPacked) await pack()
}

async function buildPackage(published: Published): Promise<void> {
  const built = builtOf(published)
  const imported = [...(await bundle(published)), ...(await copyTypes(published))]
  const manifest = toPublishedManifest(published, imported)
  await writeFile(join(built, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await cp(join(ROOT, 'LICENSE'), join(built, 'LICENSE'))
  await cp(join(sourceOf(published), 'README.md'), join(built, 'README.md'))
  for (const [from, to] of Object.entries(published.copies ?? {}))
    await cp(join(ROOT, from), join(built, to), { recursive: true })
  if (published.hasWebApp) await buildWeb(join(built, 'dist/web'))
  refuseLostFiles(built)
}

/** Throws when code names a file beside it that is not there: what was beside a source is not beside the built file. */
function refuseLostFiles(built: string): void {
  for (const file of globSync('dist/**/*.js', { cwd: built, exclude: ['dist/web/**'] }))
    for (const [, path = ''] of readFileSync(join(built, file), 'utf8').matchAll(ADDRESS))
      if (!existsSync(join(built, dirname(file), path))) throw new Error(`${built}: ${file} names ${path}.`)
}

async function buildWeb(outDir: string): Promise<void> {
  const root = join(ROOT, 'packages/web')
  await buildVite({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  })
}

async function pack(): Promise<void> {
  const tarballs = join(BUILT, 'tarballs')
  await mkdir(tarballs)
  const folders = PUBLISHED.map((published) => builtOf(published))
  const { status } = spawnSync('npm', ['pack', '--pack-destination', tarballs, ...folders], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('The packages could not be packed.')
}
