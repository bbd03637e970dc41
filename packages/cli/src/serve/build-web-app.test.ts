import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WebSources } from './build-web-app.ts'
import { buildWebApp, stampOf } from './build-web-app.ts'

async function createSources(): Promise<WebSources> {
  const root = await mkdtemp(join(tmpdir(), 'capstan-web-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'web')
  await mkdir(join(folder, 'src'), { recursive: true })
  await mkdir(join(root, 'protocol'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'src', 'main.tsx'), 'start()')
  await writeFile(join(root, 'protocol', 'events.ts'), 'export {}')
  return { folder, shared: [join(root, 'protocol')] }
}

/** A fake Vite that counts its builds. */
function createVite(work: (outDir: string) => Promise<void> = async () => {}) {
  let builds = 0
  return {
    builds: () => builds,
    load: async () => ({
      async build(config: Readonly<Record<string, unknown>>) {
        builds++
        const { outDir } = config['build'] as { outDir: string }
        await mkdir(outDir, { recursive: true })
        await writeFile(join(outDir, 'index.html'), `build ${builds}`)
        await work(outDir)
      },
    }),
  }
}

describe('buildWebApp', () => {
  it('builds once, and again only when the sources have changed', async () => {
    const sources = await createSources()
    const vite = createVite()
    const printed: string[] = []
    const build = () => buildWebApp(sources, (line) => printed.push(line), vite.load)
    const built = await build()
    await build()
    expect(vite.builds()).toBe(1)
    expect(printed).toHaveLength(2)
    await writeFile(join(sources.folder, 'src', 'main.tsx'), 'startDifferently()')
    await build()
    expect(vite.builds()).toBe(2)
    expect(await readFile(join(built, 'index.html'), 'utf8')).toBe('build 2')
    expect(await readdir(join(sources.folder, 'node_modules'))).toEqual([])
  })

  it('builds for production, whatever NODE_ENV is', async () => {
    const sources = await createSources()
    let mode: string | undefined
    const vite = createVite(async () => void (mode = process.env['NODE_ENV']))
    await buildWebApp(sources, () => {}, vite.load)
    expect(mode).toBe('production')
    expect(process.env['NODE_ENV']).toBe('test')
  })

  it('builds again when a shared source has changed, but not for a test', async () => {
    const sources = await createSources()
    const before = stampOf(sources)
    await writeFile(join(sources.folder, 'src', 'main.test.tsx'), 'it()')
    expect(stampOf(sources)).toBe(before)
    await writeFile(join(sources.shared[0]!, 'events.ts'), 'export type Event = string')
    expect(stampOf(sources)).not.toBe(before)
  })

  it('builds once when several processes start at the same time', async () => {
    const sources = await createSources()
    const vite = createVite()
    const all = Array.from({ length: 4 }, () => buildWebApp(sources, () => {}, vite.load))
    expect(new Set(await Promise.all(all)).size).toBe(1)
    expect(vite.builds()).toBe(1)
  })

  it('does not wait for the lock of a process that is gone', async () => {
    const sources = await createSources()
    await mkdir(join(sources.folder, 'node_modules'))
    await writeFile(join(sources.folder, 'node_modules', '.capstan-build'), '999999999')
    const vite = createVite()
    await buildWebApp(sources, () => {}, vite.load)
    expect(vite.builds()).toBe(1)
  })

  it('keeps the old build and throws one sentence when a build fails', async () => {
    const sources = await createSources()
    const built = await buildWebApp(sources, () => {}, createVite().load)
    await writeFile(join(sources.folder, 'src', 'main.tsx'), 'broken(')
    const broken = createVite(async () => {
      throw new Error('unexpected end of file\n    at main.tsx')
    })
    await expect(buildWebApp(sources, () => {}, broken.load)).rejects.toThrow(
      /^The web app could not be built: unexpected end of file$/,
    )
    expect(await readFile(join(built, 'index.html'), 'utf8')).toBe('build 1')
  })
})
