import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { capstan, startServerProcess } from '../../testing/server-process.ts'
import { createHome } from '../../testing/stored-thread.ts'

const MODULES = join(import.meta.dirname, '../../../../../node_modules')

/** A new agent with the modules of this repository. */
async function createAgent(): Promise<{ readonly home: string; readonly folder: string }> {
  const home = await createHome()
  const folder = join(home, 'my-agent')
  expect(await capstan(home, 'init', folder)).toMatchObject({ code: 0, err: '' })
  await symlink(MODULES, join(folder, 'node_modules'))
  return { home, folder }
}

describe('an agent as a folder', { timeout: 60_000 }, () => {
  it('is written by init, built as plain JavaScript and served with its sub-agent', async () => {
    const { home, folder } = await createAgent()
    const built = await capstan(home, 'build', folder)
    expect(built).toMatchObject({ code: 0, err: '' })
    expect(built.out).toContain('1 tool, 1 sub-agent, 0 connections.')
    expect(await readFile(join(folder, 'dist/tools/convert-length.js'), 'utf8')).not.toContain('.ts')
    const server = await startServerProcess(home, '--agent', join(folder, 'dist'), '--no-demo')
    expect((await fetch(server.url)).status).toBe(200)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('is built with the modules that its tools import', async () => {
    const { home, folder } = await createAgent()
    await writeFile(
      join(folder, 'round.ts'),
      'export const round = (value: number): number => Math.round(value)\n',
    )
    const tool = await readFile(join(folder, 'tools/convert-length.ts'), 'utf8')
    await writeFile(
      join(folder, 'tools/convert-length.ts'),
      `import { round } from '../round.ts'\n${tool}void round\n`,
    )
    expect(await capstan(home, 'build', folder)).toMatchObject({ code: 0, err: '' })
    expect(await readFile(join(folder, 'dist/tools/convert-length.js'), 'utf8')).toContain(
      "from '../round.js'",
    )
  })

  it('names every file that cannot be used, and keeps the old build', async () => {
    const { home, folder } = await createAgent()
    await capstan(home, 'build', folder)
    await writeFile(join(folder, 'tools/broken.ts'), 'export const = 1')
    await writeFile(join(folder, 'tools/enum.ts'), 'enum Unit { Metre }')
    await writeFile(join(folder, 'tools/none.ts'), 'export const tool = 1')
    await writeFile(join(folder, 'tools/twice.ts'), "export { default } from './convert-length.ts'")
    await writeFile(join(folder, 'agents/bad.md'), 'No front matter.')
    const servers = {
      'a b': {},
      x: { url: 'https://x', headers: { authorization: 'Bearer ${MISSING_TOKEN}' } },
    }
    await writeFile(join(folder, 'connections.json'), JSON.stringify({ mcpServers: servers }))
    const { code, err } = await capstan(home, 'build', folder)
    expect(code).toBe(1)
    for (const problem of [
      /tools\/broken\.ts: ./,
      /tools\/enum\.ts: TypeScript enum is not supported/,
      /tools\/none\.ts: exports no tool/,
      /tools\/twice\.ts: the tool "convert_length" is in tools\/convert-length\.ts already/,
      /agents\/bad\.md:1: /,
      /connections\.json: a b: a name has/,
      /connections\.json: x: the variable MISSING_TOKEN is not set/,
    ])
      expect(err).toMatch(problem)
    expect(await readdir(join(folder, 'dist/tools'))).toEqual(['convert-length.js'])
  })

  it.each([
    [['init'], 'Name one folder'],
    [['init', 'My-Agent'], 'cannot be the name of a package'],
    [['init', '..'], 'exists and is not empty|cannot be the name'],
    [['build', '/nowhere/at/all'], 'is not a folder'],
    [['serve', '--agent', '/nowhere/at/all'], 'is not a folder'],
  ])('answers %j with one sentence', async (args, sentence) => {
    const { code, err } = await capstan(await createHome(), ...args)
    expect(code).not.toBe(0)
    expect(err).toMatch(new RegExp(`^capstan: .*(?:${sentence}).*\\n$`))
  })

  it('is not written over', async () => {
    const { home, folder } = await createAgent()
    const { code, err } = await capstan(home, 'init', folder)
    expect(code).toBe(1)
    expect(err).toContain('exists and is not empty')
  })
})
