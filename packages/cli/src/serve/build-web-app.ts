import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../shell/shell.ts'

const require = createRequire(import.meta.url)
/** A file in the built app with the hash of its sources. */
const STAMP = '.build-stamp'
const POLL_MS = 200

/** The part of Vite that is used. */
interface Vite {
  build(config: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** The sources of the web app. */
export interface WebSources {
  /** The folder of its package. */
  readonly folder: string
  /** Source folders of other packages that it imports. */
  readonly shared: readonly string[]
}

/** Finds the sources of the installed web app. */
export function findWebSources(): WebSources {
  const folder = dirname(require.resolve('@capstan/web/package.json'))
  const manifests = [
    require.resolve('@capstan/client/package.json'),
    require.resolve('@capstan/protocol/package.json'),
  ]
  return { folder, shared: manifests.map((manifest) => join(dirname(manifest), 'src')) }
}

/**
 * Answers with the folder of the built web app. Builds it when it is missing or its sources have changed; other
 * processes wait meanwhile. The old build stays until the new one is complete. Throws a `CommandError` on failure.
 */
export async function buildWebApp(
  sources: WebSources,
  print: (line: string) => void,
  loadVite: (folder: string) => Promise<Vite> = findVite,
): Promise<string> {
  const built = join(sources.folder, 'dist')
  const stamp = stampOf(sources)
  if (await isBuiltFrom(built, stamp)) return built
  const release = await acquireLock(join(sources.folder, 'node_modules', '.capstan-build'))
  try {
    if (await isBuiltFrom(built, stamp)) return built
    print('Building the web app. This takes a few seconds …')
    const startedAt = performance.now()
    await build(sources.folder, built, stamp, loadVite)
    print(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
    return built
  } finally {
    await release()
  }
}

async function build(
  folder: string,
  built: string,
  stamp: string,
  loadVite: (folder: string) => Promise<Vite>,
): Promise<void> {
  const fresh = join(folder, 'node_modules', `.capstan-dist-${process.pid}`)
  const old = `${fresh}-old`
  const before = process.env['NODE_ENV']
  try {
    const vite = await loadVite(folder)
    process.env['NODE_ENV'] = 'production' // Vite keeps a value that is set, and `test` would build another app
    await vite.build({
      root: folder,
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'silent',
      build: { outDir: fresh, emptyOutDir: true },
    })
    await writeFile(join(fresh, STAMP), stamp)
    if (existsSync(built)) await rename(built, old)
    await rename(fresh, built)
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new CommandError(`The web app could not be built: ${why}`)
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

/** A hash of the names and contents of all sources; times do not count. */
export function stampOf({ folder, shared }: WebSources): string {
  const hash = createHash('sha256')
  const add = (base: string, patterns: readonly string[]): void => {
    const files = globSync([...patterns], { cwd: base, withFileTypes: true })
      .filter((file) => file.isFile() && !/\.test\.tsx?$/.test(file.name))
      .map((file) => join(file.parentPath, file.name))
      .toSorted()
    for (const file of files)
      hash
        .update(`${file.slice(base.length)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  add(folder, ['src/**/*', 'public/**/*', 'index.html', 'vite.config.ts', 'package.json'])
  for (const base of shared) add(base, ['**/*'])
  return hash.digest('hex')
}

async function isBuiltFrom(built: string, stamp: string): Promise<boolean> {
  if (!existsSync(join(built, 'index.html'))) return false
  return (await readFile(join(built, STAMP), 'utf8').catch(() => '')) === stamp
}

async function findVite(folder: string): Promise<Vite> {
  let entry: string
  try {
    entry = createRequire(join(folder, 'package.json')).resolve('vite')
  } catch {
    throw new Error('Vite is not installed; run "npm install" in the repository.')
  }
  return (await import(pathToFileURL(entry).href)) as Vite
}

/** Waits for the lock and takes it. A lock whose process is gone does not count. The result releases it. */
async function acquireLock(lock: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await mkdir(dirname(lock), { recursive: true })
      const file = await open(lock, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      return () => rm(lock, { force: true })
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST')
        throw new CommandError(`The web app cannot be built here: ${dirname(lock)} (${code}).`)
      const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
      if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true })
      else await wait(POLL_MS)
    }
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
