import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { SandboxFolder } from '@capstan/harness/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'
import { makeFolder, missing } from './confined.fixture.ts'
import { runtimeFiles } from './runtime-folder.ts'

describe.skipIf(missing)('a folder that is replaced by a link after it was checked', () => {
  it('does not lead a program to our data', async () => {
    const folder = makeFolder()
    const [data, shared] = [join(folder, 'data'), join(folder, 'shared')]
    mkdirSync(data)
    mkdirSync(shared)
    writeFileSync(join(data, 'install.key'), 'the-key')
    const start = await createBubblewrapSandbox({ hidden: [data] }).confine({
      command: '/bin/sh',
      args: ['-c', `cat ${shared}/install.key`],
      profile: { folders: [{ path: shared, access: 'read' }], network: 'off', env: {} },
      changedIn: 'Settings',
    })
    // Another program with rights on the folder above does this at the right moment.
    renameSync(shared, `${shared}-before`)
    symlinkSync(data, shared)
    const child = spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'pipe', 'ignore'] })
    expect(await text(child.stdout)).not.toContain('the-key')
    start.release()
  })
})

function createWorld() {
  const folder = makeFolder()
  const data = join(folder, 'around/data')
  const shared = join(folder, 'shared')
  mkdirSync(data, { recursive: true })
  mkdirSync(join(shared, 'inner'), { recursive: true })
  writeFileSync(join(data, 'install.key'), 'the-key')
  const sandbox = createBubblewrapSandbox({ hidden: [data] })
  const run = async (script: string, folders: readonly SandboxFolder[], swap: () => void) => {
    const start = await sandbox.confine({
      command: '/bin/sh',
      args: ['-c', script],
      profile: { folders, network: 'off', env: {} },
      changedIn: 'Settings',
    })
    swap()
    const child = spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    start.release()
    return { out, err, code }
  }
  return { folder, data, shared, sandbox, run }
}

const replace = (path: string, target: string): void => {
  renameSync(path, `${path}-before`)
  symlinkSync(target, path)
}

describe.skipIf(missing)('what is mounted', { timeout: 30_000 }, () => {
  it('is compared with what was checked, and nothing runs when it differs', async () => {
    const { folder, data, shared, run } = createWorld()
    const folders = [{ path: shared, access: 'write' }] as const
    expect(await run('echo ran', folders, () => {})).toEqual({ out: 'ran\n', err: '', code: 0 })
    expect(await run('echo ran', folders, () => replace(shared, data))).toEqual({
      out: '',
      err: expect.stringContaining('Nothing was run'),
      code: 126,
    })
    mkdirSync(join(folder, 'other'))
    const other = [{ path: join(folder, 'other'), access: 'read' }] as const
    const swap = () => {
      renameSync(other[0].path, join(folder, 'moved'))
      mkdirSync(other[0].path)
    }
    expect(await run('echo ran', other, swap)).toMatchObject({ out: '', code: 126 })
  })

  it('is compared before a library of the profile is loaded', async () => {
    const { shared, data, sandbox } = createWorld()
    const start = await sandbox.confine({
      command: '/bin/true',
      args: [],
      profile: {
        folders: [{ path: shared, access: 'read' }],
        network: 'off',
        env: { LD_PRELOAD: join(shared, 'library.so') },
      },
      changedIn: 'Settings',
    })
    replace(shared, data)
    const child = spawn(start.command, start.args, { env: start.env, stdio: ['ignore', 'ignore', 'pipe'] })
    const err = await text(child.stderr)
    start.release()
    expect(err).toContain('Nothing was run')
    expect(err).not.toContain('library.so')
  })

  it('may be a folder inside of another one with other rights', async () => {
    const { data, shared, run } = createWorld()
    const inner = join(shared, 'inner')
    const folders = [
      { path: shared, access: 'write' },
      { path: inner, access: 'read' },
    ] as const
    const write = `echo x > ${shared}/x && ! echo x > ${inner}/x && echo as asked`
    expect(await run(write, folders, () => {})).toMatchObject({ out: 'as asked\n', code: 0 })
    expect((await run('echo ran', folders, () => replace(inner, data))).out).toBe('')
  })

  it('is not one of our own small files any more when somebody replaced it', async () => {
    const { data, run } = createWorld()
    const { passwd } = runtimeFiles()
    onTestFinished(() => renameSync(`${passwd}-before`, passwd))
    const swap = () => replace(passwd, join(data, 'install.key'))
    expect(await run('cat /etc/passwd', [], swap)).toMatchObject({ out: '', code: 126 })
  })
})

describe.skipIf(missing)('our data inside of an allowed folder', { timeout: 30_000 }, () => {
  it('cannot be moved away by moving a folder around it', async () => {
    const { folder, data, run } = createWorld()
    const folders = [{ path: folder, access: 'write' }] as const
    const move = `mv ${folder}/around ${folder}/elsewhere; mv ${data} ${folder}/elsewhere`
    expect(await run(move, folders, () => {})).toMatchObject({
      code: 1,
      err: expect.stringContaining('busy'),
    })
    expect(existsSync(join(data, 'install.key'))).toBe(true)
    expect(await run(`echo x > ${folder}/around/x; cat ${folder}/around/x`, folders, () => {})).toMatchObject(
      {
        out: 'x\n',
      },
    )
  })

  it('keeps programs from starting when somebody else has moved it', async () => {
    const { folder, data, run } = createWorld()
    renameSync(join(folder, 'around'), join(folder, 'elsewhere'))
    const look = run(`cat ${folder}/elsewhere/data/install.key`, [{ path: folder, access: 'read' }], () => {})
    await expect(look).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining(data),
    })
  })
})
