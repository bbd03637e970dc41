import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'
import { makeFolder, missing, runConfined, runNode, runScript } from './confined.fixture.ts'

function createWorld() {
  const folder = makeFolder()
  const data = join(folder, 'data')
  const shared = join(folder, 'shared')
  mkdirSync(data)
  mkdirSync(shared)
  writeFileSync(join(data, 'secret.key'), 'the-key')
  writeFileSync(join(shared, 'note.txt'), 'buy milk')
  writeFileSync(join(folder, 'private.txt'), 'private')
  const sandbox = createBubblewrapSandbox({ hidden: [data], packagesFolder: join(data, 'packages') })
  return { folder, data, shared, sandbox }
}

async function startService(answer = 'from the service') {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, count: () => requests }
}

describe('a sandbox without bubblewrap', () => {
  it('says what to install, and starts nothing', async () => {
    const sandbox = createBubblewrapSandbox({ hidden: [], bubblewrap: 'no-such-bubblewrap' })
    expect(await sandbox.check()).toMatchObject({
      state: 'unavailable',
      ...(process.platform === 'linux'
        ? { found: expect.stringContaining('not installed'), next: expect.stringContaining('apt install') }
        : undefined),
    })
    const request = { command: '/bin/true', args: [], changedIn: 'x' }
    await expect(
      sandbox.confine({ ...request, profile: { folders: [], network: 'off', env: {} } }),
    ).rejects.toMatchObject({ name: 'SandboxError', reason: 'unavailable' })
  })
})

describe.skipIf(missing !== undefined)('a confined program', { timeout: 30_000 }, () => {
  it('is tested for real by the check', async () => {
    expect(await createWorld().sandbox.check()).toMatchObject({ state: 'works' })
  })

  it('sees the allowed folders and the system, and nothing else', async () => {
    const { folder, data, shared, sandbox } = createWorld()
    const look = `ls ${data} ${folder}/private.txt ${homedir()} /var /root /srv /opt; cat ${shared}/note.txt; ls ${folder}`
    const { out, err } = await runScript(sandbox, look, { folders: [{ path: shared, access: 'read' }] })
    expect(out).toBe('buy milkshared\n')
    expect(err.match(/No such file or directory/g)).toHaveLength(7)
  })

  it('does not see a hidden file in a folder that it may use, and cannot put another in its place', async () => {
    const { shared } = createWorld()
    const key = join(shared, 'nodes.key')
    writeFileSync(key, 'the-key')
    const sandbox = createBubblewrapSandbox({ hidden: [key] })
    const look = `cat ${key} ${shared}/note.txt; mv ${key} ${shared}/moved; rm -f ${key}; echo other > ${key}`
    const { out } = await runScript(sandbox, look, { folders: [{ path: shared, access: 'write' }] })
    expect(out).toBe('buy milk')
    expect(readFileSync(key, 'utf8')).toBe('the-key')
    expect(existsSync(join(shared, 'moved'))).toBe(false)
  })

  it('writes only where writing is allowed, and is told how to allow more', async () => {
    const { shared, sandbox } = createWorld()
    const write = `echo hi > ${shared}/new.txt`
    const refused = await runScript(sandbox, write, { folders: [{ path: shared, access: 'read' }] })
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Read-only file system') })
    expect(refused.explained).toContain(`It may not write to ${shared}/new.txt`)
    expect(refused.explained).toContain('the settings of this server')
    const allowed = await runScript(sandbox, write, { folders: [{ path: shared, access: 'write' }] })
    expect(allowed).toMatchObject({ code: 0, explained: undefined })
    expect(readFileSync(join(shared, 'new.txt'), 'utf8')).toBe('hi\n')
  })

  it('finds our data folder empty inside of an allowed folder', async () => {
    const { folder, data, sandbox } = createWorld()
    const { out, code } = await runScript(
      sandbox,
      `ls -A ${data}; cat ${folder}/private.txt; touch ${data}/x`,
      {
        folders: [{ path: folder, access: 'write' }],
      },
    )
    expect({ out, code }).toEqual({ out: 'private', code: 1 })
    expect(() => readFileSync(join(data, 'x'))).toThrow('ENOENT')
  })

  it('finds our data folder empty, also when it was made later and named through a link', async () => {
    const { folder } = createWorld()
    const link = join(makeFolder(), 'link')
    symlinkSync(folder, link)
    const sandbox = createBubblewrapSandbox({ hidden: [join(link, 'later')] })
    mkdirSync(join(folder, 'later'))
    writeFileSync(join(folder, 'later/secret.key'), 'the-key')
    const look = `cat ${folder}/later/secret.key`
    expect(await runScript(sandbox, look, { folders: [{ path: folder, access: 'read' }] })).toMatchObject({
      out: '',
    })
  })

  it('cannot be given our data folder, a link or a path with ".."', async () => {
    const { folder, data, shared, sandbox } = createWorld()
    symlinkSync(data, join(folder, 'link'))
    for (const path of [
      data,
      join(data, 'packages'),
      join(folder, 'link'),
      `${shared}/../data`,
      '/',
      '/proc',
      'x',
    ])
      await expect(runScript(sandbox, 'true', { folders: [{ path, access: 'read' }] })).rejects.toMatchObject(
        {
          reason: 'profile',
        },
      )
  })

  it('is refused after an allowed folder was replaced by a link', async () => {
    const { folder, data, shared, sandbox } = createWorld()
    const folders = [{ path: shared, access: 'write' }] as const
    expect(await runScript(sandbox, 'true', { folders })).toMatchObject({ code: 0 })
    rmSync(shared, { recursive: true })
    symlinkSync(data, shared)
    await expect(runScript(sandbox, `cat ${shared}/secret.key`, { folders })).rejects.toThrow(
      'leads elsewhere',
    )
    rmSync(shared)
    symlinkSync(folder, shared)
    await expect(runScript(sandbox, 'true', { folders })).rejects.toThrow('leads elsewhere')
  })

  it('does not follow a link in its folder to what it may not see', async () => {
    const { folder, shared, sandbox } = createWorld()
    symlinkSync(join(folder, 'private.txt'), join(shared, 'link.txt'))
    const { out, code } = await runScript(sandbox, `cat ${shared}/link.txt`, {
      folders: [{ path: shared, access: 'write' }],
    })
    expect({ out, code }).toEqual({ out: '', code: 1 })
  })

  it('gets only the variables it was given, and sees no process of ours', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-somebody')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { sandbox } = createWorld()
    const script = `env; echo; cat /proc/*/environ | tr '\\0' '\\n'; ls -d /proc/[0-9]* | wc -l`
    const { out } = await runScript(sandbox, script, { env: { NOTES_KEY: 'k', LD_LIBRARY_PATH: '/nowhere' } })
    expect(out).not.toContain('sk-of-somebody')
    const names = out
      .split('\n\n')[0]!
      .split('\n')
      .map((line) => line.split('=', 1)[0]!)
    expect(names.toSorted()).toEqual(['HOME', 'LANG', 'LD_LIBRARY_PATH', 'NOTES_KEY', 'PATH', 'PWD'])
    expect(Number(out.trim().split('\n').at(-1))).toBeLessThan(10)
  })

  it('cannot change the machine through /proc, and has no capability', async () => {
    const { sandbox } = createWorld()
    const script = `echo 4242 > /proc/sys/kernel/pid_max; grep -E '^Cap(Eff|Prm|Bnd)' /proc/self/status; unshare -Ur true`
    const { out, err, code } = await runScript(sandbox, script)
    expect(err).toContain('Read-only file system')
    expect(new Set(out.match(/[0-9a-f]{16}/g))).toEqual(new Set(['0'.repeat(16)]))
    expect(code).not.toBe(0)
  })

  it('without network reaches neither this machine nor others, and is told so', async () => {
    const { port, count } = await startService()
    const { sandbox } = createWorld()
    const script = `fetch('http://127.0.0.1:${port}').then(() => console.log('in'), (e) => console.error(e.cause.code));
      fetch('http://93.184.215.14').then(() => console.log('in'), (e) => console.error(e.cause.code))`
    const { out, err, explained } = await runNode(sandbox, script)
    expect(out).toBe('')
    expect(err.trim().split('\n').toSorted()).toEqual(['ECONNREFUSED', 'ENETUNREACH'])
    expect(explained).toContain('It has no network')
    expect(count()).toBe(0)
  })

  it('reaches a named host through the proxy, and no other', async () => {
    const { port, count } = await startService()
    const { sandbox } = createWorld()
    const script = (url: string) =>
      `fetch('${url}').then(async (r) => console.log(r.status, await r.text()), (e) => console.log(e.cause.code ?? e.cause.message))`
    const network = [`localhost:${port}`]
    expect((await runNode(sandbox, script(`http://localhost:${port}/`), { network })).out).toContain(
      '200 from the service',
    )
    const before = count()
    const other = await runNode(sandbox, script(`http://127.0.0.1:${port}/`), { network })
    expect(other.out).not.toContain('200')
    expect(other.explained).toContain(`The sandbox refused 127.0.0.1:${port}`)
    const tls = await runNode(sandbox, script('https://evil.example/'), { network })
    expect(tls.out).not.toContain('200')
    expect(tls.explained).toContain('The sandbox refused evil.example:443')
    expect(count()).toBe(before)
  })

  it('cannot go around the proxy', async () => {
    const { port, count } = await startService()
    const { sandbox } = createWorld()
    const script = `require('node:net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code))`
    expect((await runNode(sandbox, script, { network: ['example.com'] })).out.trim()).toBe('ECONNREFUSED')
    expect(count()).toBe(0)
  })

  it('with any network reaches this machine', async () => {
    const { port } = await startService()
    const { sandbox } = createWorld()
    const script = `fetch('http://127.0.0.1:${port}').then(async (r) => console.log(await r.text()))`
    expect((await runNode(sandbox, script, { network: 'any' })).out.trim()).toBe('from the service')
  })

  it('passes its exit code on, also through the proxy', async () => {
    const { sandbox } = createWorld()
    expect(await runScript(sandbox, 'exit 7')).toMatchObject({ code: 7 })
    expect(await runScript(sandbox, 'exit 7', { network: ['example.com'] })).toMatchObject({ code: 7 })
    expect(await runScript(sandbox, 'kill -9 $$')).toMatchObject({ code: 137 })
  })

  it('that is not installed is reported as such', async () => {
    const { sandbox } = createWorld()
    await expect(runConfined(sandbox, { command: 'no-such-program', args: [] })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  // Not a real fork bomb: for root the kernel has no limit, and the bomb would take the processes of the other tests.
  it('is ended when it starts too many processes', async () => {
    const { sandbox } = createWorld()
    const started = performance.now()
    const many = `no=0; while [ $no -lt 200 ]; do sleep 60 & no=$((no + 1)); done; wait`
    const { explained } = await runScript(sandbox, many, { limits: { processes: 50 } })
    expect(explained).toContain('more than 50 processes')
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('is ended when its processes hold too much memory together', async () => {
    const { sandbox } = createWorld()
    const hog = `const all = []; setInterval(() => all.push(Buffer.alloc(8e6, 1)), 5)`
    const one = await runNode(sandbox, hog, { limits: { memoryMb: 300 } })
    expect(one).toMatchObject({ explained: expect.stringContaining('more than 300 MB') })
    const many = `for (let no = 0; no < 8; no++) require('node:child_process').spawn(process.execPath, ['-e', 'globalThis.b = Buffer.alloc(12e7, 1); setInterval(() => {}, 1000)'], { stdio: 'ignore' }); setInterval(() => {}, 1000)`
    expect((await runNode(sandbox, many, { limits: { memoryMb: 600 } })).explained).toContain(
      'more than 600 MB',
    )
  })

  it('cannot write a file without end', async () => {
    const { shared, sandbox } = createWorld()
    const { code } = await runScript(sandbox, `head -c 5000000 /dev/zero > ${shared}/big`, {
      folders: [{ path: shared, access: 'write' }],
      limits: { fileMb: 1 },
    })
    expect(code).not.toBe(0)
    expect(readFileSync(join(shared, 'big'))).toHaveLength(1024 * 1024)
  })

  it('starts in less than half a second', async () => {
    const { sandbox } = createWorld()
    await runScript(sandbox, 'true')
    const times: number[] = []
    for (let no = 0; no < 7; no++) {
      const started = performance.now()
      await runScript(sandbox, 'true')
      times.push(performance.now() - started)
    }
    console.log(`a confined start takes ${Math.min(...times).toFixed(1)} ms at best`)
    expect(Math.min(...times)).toBeLessThan(500)
  })
})
