import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { chatReply, startProviderServer } from '@capstan/harness/testing'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { build, preview } from 'vite'
import { launchBrowser } from '../browser/fixtures/launch-browser.ts'
import { BUILT, PUBLISHED, ROOT, builtOf, readManifest } from '../build/published.ts'
import type { Installed } from './install-packed.fixture.ts'
import { installPacked, NODES, publicEntries, run } from './install-packed.fixture.ts'

const MINUTES = 60_000
const PAGE = `
import { createClient, EMPTY_THREAD, foldEvents } from '@capstan/client'
const client = createClient({ url: location.origin })
document.title = foldEvents(EMPTY_THREAD, []).turns.length + ' turns, ' + (client.api ? 'a client' : 'nothing')
`
/** Resolutions of CommonJS and of old bundlers: these packages are ES modules only. */
const NOT_SUPPORTED = new Set(['node10', 'node16-cjs'])

let installed: Installed
beforeAll(async () => {
  installed = await installPacked()
}, 5 * MINUTES)
afterAll(() => installed?.remove())

const inFolder = (...path: string[]): string => join(installed.folder, ...path)

/** The environment of a person without a key and without a local model. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LANG: 'C.UTF-8',
  CAPSTAN_HOME: inFolder('home'),
  OLLAMA_HOST: '127.0.0.1:9',
})

const capstan = (node: string, ...args: readonly string[]) =>
  run(node, [inFolder('node_modules/capstan/bin/capstan.mjs'), ...args], {
    cwd: installed.folder,
    env: environment(),
  })

describe('the tarballs', () => {
  it('hold nothing of the tests and no sources', () => {
    expect([...installed.files.keys()].toSorted()).toEqual(
      PUBLISHED.map((published) => readManifest(builtOf(published)).name).toSorted(),
    )
    for (const [name, files] of installed.files) {
      const wrong = files.filter((file) =>
        /\.test\.|\.fixture\.|(?<!\.d)\.tsx?$|(?:^|\/)(?:src|fixtures|traces|cases|screenshots)(?:\/|$)/.test(
          file,
        ),
      )
      expect(wrong, name).toEqual([])
      for (const file of ['LICENSE', 'README.md', 'package.json']) expect(files, name).toContain(file)
    }
    expect(installed.files.get('@capstan/server')).toContain('dist/web/index.html')
  })

  it('name no source beside a module', async () => {
    for (const [name, files] of installed.files)
      for (const file of files.filter((path) => path.endsWith('.js') && !path.includes('web/')))
        expect(await readFile(inFolder('node_modules', name, file), 'utf8'), `${name}/${file}`).not.toMatch(
          /new URL\([^)]*\.ts['"`]/,
        )
  })

  it.each(PUBLISHED.map((published) => [published.folder, published] as const))(
    '%s is right for publint and arethetypeswrong',
    async (_, published) => {
      const { messages } = await publint({ pkgDir: builtOf(published), pack: false, strict: true })
      expect(messages).toEqual([])
      const { name, version } = readManifest(builtOf(published))
      const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      const data = await readFile(join(BUILT, 'tarballs', tarball))
      const checked = await checkPackage(createPackageFromTarballData(data))
      if (!checked.types) return
      expect(
        checked.problems.filter(
          (problem) => !('resolutionKind' in problem && NOT_SUPPORTED.has(problem.resolutionKind)),
        ),
      ).toEqual([])
    },
    MINUTES,
  )
})

describe.each(NODES)('on %s', { timeout: 2 * MINUTES }, (node) => {
  it('every public entry can be imported', async () => {
    const entries = (await publicEntries(installed)).filter((name) => !name.endsWith('/suites'))
    const program = entries.map((name) => `await import('${name}')`).join('\n')
    await writeFile(inFolder('entries.js'), program)
    expect(await run(node, [inFolder('entries.js')], { env: environment() })).toMatchObject({ stdout: '' })
  })

  it('the hello agent of the README answers', async () => {
    await copyFile(join(ROOT, 'examples/hello-agent.ts'), inFolder('hello-agent.ts'))
    const call = { id: 'call_1', tool: 'weather', args: '{"city":"Oslo"}' }
    await using model = await startProviderServer(
      chatReply({ calls: [call] }),
      chatReply({ text: 'Take an umbrella.' }),
    )
    const env = { ...environment(), CAPSTAN_MODEL: `${model.url}/v1#m` }
    const { stdout } = await run(node, [inFolder('hello-agent.ts')], { env })
    expect(stdout).toBe('Take an umbrella.\n')
    expect(JSON.stringify(model.requests[1]?.body)).toContain('Oslo: 7 °C, light rain')
  })

  it('the command shows its help, and warns of nothing', async () => {
    const { stdout, stderr } = await capstan(node, '--help')
    expect(stdout).toContain('Usage: capstan')
    expect(stderr).toBe('')
  })

  it('the command alone serves the web app', async () => {
    const args = [inFolder('node_modules/capstan/bin/capstan.mjs'), 'serve', '--port', '0', '--json']
    const child = spawn(node, args, { env: environment() })
    onTestFinished(() => void child.kill('SIGKILL'))
    const errors = text(child.stderr)
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { url } = JSON.parse(line) as { readonly url: string }
    const page = await (await fetch(url)).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    expect((await fetch(new URL(script, url))).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(await errors).toBe('')
  })

  it('a new agent is built with its tool in TypeScript', async () => {
    const folder = inFolder(`agent-${NODES.indexOf(node)}`)
    await capstan(node, 'init', folder)
    const { stdout, stderr } = await capstan(node, 'build', folder)
    expect(stdout).toContain('1 tool, 1 sub-agent, 0 connections.')
    expect(stderr).toBe('')
  })
})

describe('a program that uses the packages', () => {
  const COMPILERS = [
    ['5.9', join(import.meta.dirname, 'node_modules/typescript')],
    ['7', join(ROOT, 'node_modules/typescript')],
  ] as const

  it.each(
    COMPILERS.flatMap(([version, folder]) => [
      [version, 'nodenext', 'nodenext', folder] as const,
      [version, 'bundler', 'esnext', folder] as const,
    ]),
  )(
    'has its types in TypeScript %s with %s',
    async (version, moduleResolution, module, compiler) => {
      expect(readManifest(compiler).version).toMatch(new RegExp(`^${version}`))
      const folder = inFolder(`types-${version}-${moduleResolution}`)
      await mkdir(folder)
      await copyFile(join(ROOT, 'examples/hello-agent.ts'), join(folder, 'hello-agent.ts'))
      const imports = (await publicEntries(installed)).map(
        (name, index) => `import * as entry${index} from '${name}'\nvoid entry${index}`,
      )
      await writeFile(join(folder, 'entries.ts'), imports.join('\n'))
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable', 'dom'],
        types: ['node'],
        strict: true,
        noEmit: true,
        // Declarations of others are theirs to check.
        skipLibCheck: true,
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const checked = run(process.execPath, [join(compiler, 'bin/tsc'), '-p', folder]).catch(
        (error: { readonly stdout: string }) => error,
      )
      expect((await checked).stdout).toBe('')
    },
    2 * MINUTES,
  )

  it('builds the client into a page of Vite, which runs in a browser', { timeout: 2 * MINUTES }, async () => {
    const root = inFolder('page')
    await mkdir(root)
    await writeFile(join(root, 'index.html'), '<script type="module" src="main.js"></script>')
    await writeFile(join(root, 'main.js'), PAGE)
    await build({ root, configFile: false, logLevel: 'error' })
    const server = await preview({ root, configFile: false, logLevel: 'error', preview: { port: 0 } })
    onTestFinished(() => server.close())
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls!.local[0]!)
    await page.waitForFunction('document.title !== ""')
    expect(await page.title()).toBe('0 turns, a client')
  })
})
