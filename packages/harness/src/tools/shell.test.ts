import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConfineRequest, Sandbox } from '../ports/sandbox.ts'
import { SandboxError, UNCONFINED } from '../ports/sandbox.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { createTestRun } from '../testing/test-run.ts'
import { tryTool } from '../testing/try-tool.ts'
import { effectOf } from '../turn/tool/tool.ts'
import type { ShellOptions } from './shell.ts'
import { createShellTool } from './shell.ts'

let home: string
let root: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'capstan-shell-')))
  root = join(home, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  await writeFile(join(root, 'notes.txt'), 'one\ntwo\n')
  await writeFile(join(home, 'secret.txt'), 'the secret')
  await symlink(join(home, 'secret.txt'), join(root, 'link.txt'))
})

afterEach(() => rm(home, { recursive: true, force: true }))

const shell = (more: Partial<ShellOptions> = {}) =>
  createShellTool({ roots: [root], enabled: true, sandbox: UNCONFINED, ...more })
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe.skipIf(process.platform === 'win32')('a command', () => {
  it('returns its output, with stderr', async () => {
    expect(await tryTool(shell(), { command: 'cat notes.txt; ls missing 1>&2 || true' })).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^one\ntwo\nls: .*missing/),
    })
    expect((await tryTool(shell(), { command: 'true' })).text).toBe('(no output)')
  })

  it.each([
    ['exit 3', 3],
    ['false', 1],
    ['no-such-program-here', 127],
    ['sh die.sh', 137],
  ])('that fails as %s carries its exit code', async (command, exitCode) => {
    await writeFile(join(root, 'die.sh'), 'kill -9 $$')
    const outcome = await tryTool(shell(), { command })
    expect(outcome).toMatchObject({ ok: false, exitCode })
    expect(outcome.text).toContain(`exit code ${exitCode}`)
  })

  it('runs in the root, or in a folder below it, and nowhere else', async () => {
    expect((await tryTool(shell(), { command: 'pwd' })).text).toBe(root)
    expect((await tryTool(shell(), { command: 'pwd', cwd: 'sub' })).text).toBe(join(root, 'sub'))
    await symlink(home, join(root, 'up'))
    for (const cwd of ['..', '/', 'up', 'sub/../..', home]) {
      expect(await tryTool(shell(), { command: 'pwd', cwd })).toMatchObject({ ok: false, deniedBy: 'policy' })
    }
    expect(await tryTool(shell(), { command: 'pwd', cwd: 'missing' })).toMatchObject({ errorCode: 'ENOENT' })
  })

  it('gets only a few environment variables', async () => {
    process.env['CAPSTAN_TEST_TOKEN'] = 'seeded-secret'
    try {
      const { text } = await tryTool(shell(), { command: 'env' })
      const names = text.split('\n').map((line) => line.split('=', 1)[0]!)
      expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG', 'TERM']))
      expect(
        names.filter(
          (name) => !['PATH', 'HOME', 'LANG', 'TERM', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name),
        ),
      ).toEqual([])
      expect(text).not.toContain('seeded-secret')
    } finally {
      delete process.env['CAPSTAN_TEST_TOKEN']
    }
  })

  it('has a closed stdin', async () => {
    expect((await tryTool(shell(), { command: 'cat; echo after' })).text).toBe('after')
  })

  it('may write a hundred megabytes in bounded memory, and shows both ends', async () => {
    const before = process.memoryUsage().rss
    const command = "echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last"
    const { ok, text } = await tryTool(shell({ maxOutputChars: 20_000 }), { command })
    expect(ok).toBe(true)
    expect(text.startsWith('first\nxxx')).toBe(true)
    expect(text.endsWith('xxx\nlast')).toBe(true)
    expect(text).toContain('characters left out')
    expect(text.length).toBeLessThan(20_200)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  }, 30_000)

  it('is not run without a working sandbox, and the reason is said', async () => {
    const broken: Sandbox = {
      ...UNCONFINED,
      confine: () => Promise.reject(new SandboxError('unavailable', 'Install bubblewrap.')),
    }
    const without = await tryTool(shell({ sandbox: undefined }), { command: 'touch made' })
    expect(without).toMatchObject({ ok: false, errorCode: 'missing_app' })
    const outcome = await tryTool(shell({ sandbox: broken }), { command: 'touch made' })
    expect(outcome).toMatchObject({ ok: false, text: 'Nothing was run. Install bubblewrap.' })
    expect(await isThere(join(root, 'made'))).toBe(false)
  })

  it('is given the roots and no network, and tells what the sandbox refused', async () => {
    const requests: ConfineRequest[] = []
    const watching: Sandbox = {
      ...UNCONFINED,
      async confine(request) {
        requests.push(request)
        return { ...(await UNCONFINED.confine(request)), explain: () => 'It has no network.' }
      },
    }
    const outcome = await tryTool(shell({ sandbox: watching }), { command: 'ls missing', cwd: 'sub' })
    expect(outcome.text).toContain('It has no network.')
    expect(requests).toMatchObject([
      { cwd: join(root, 'sub'), profile: { folders: [{ path: root, access: 'write' }], network: 'off' } },
    ])
  })

  it('is not run when the shell is off, which is the default', async () => {
    const outcome = await tryTool(createShellTool({ roots: [root] }), { command: 'touch made' })
    expect(outcome).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(await isThere(join(root, 'made'))).toBe(false)
  })

  it.each([
    'echo $(touch made)',
    'echo `touch made`',
    'touch made &',
    'eval touch made',
    'sh -c "touch made"',
    'cat <(touch made)',
    'X=touch; $X made',
    "cat <<EOF\nfoo\\\nEOF\n'\nEOF\ntouch made #'",
    'touch made\0',
  ])('that hides what it runs is refused outright: %j', async (command) => {
    expect(await tryTool(shell(), { command })).toMatchObject({ ok: false })
    expect(await isThere(join(root, 'made'))).toBe(false)
  })

  it('that hides what it runs can be allowed, and still has effect admin', async () => {
    const tool = shell({ allowHidden: true })
    expect((await tryTool(tool, { command: 'echo $(cat notes.txt)' })).text).toBe('one two')
    expect(effectOf(tool, { command: 'echo $(cat notes.txt)' })).toBe('admin')
  })
})

/** A script whose processes all hold a pipe open, and the pipe: it ends when the last of them is gone. */
async function startStubborn(script: string) {
  const pipe = join(root, 'pipe')
  execFileSync('mkfifo', [pipe])
  await writeFile(join(root, 'stubborn.sh'), `exec 3>pipe\n${script}`)
  const watch = createReadStream(pipe, 'utf8')
  const isReady = new Promise<void>((done) => watch.once('data', () => done()))
  const isGone = new Promise<void>((done) => watch.once('end', done))
  return { isReady, isGone }
}

describe.skipIf(process.platform === 'win32')('a command that is stopped', () => {
  const FAMILY = 'sleep 1000 &\n( sleep 1000 & sleep 1000 ) &\necho ready >&3\nwait\n'

  it('is killed with all its processes', async () => {
    const { isReady, isGone } = await startStubborn(FAMILY)
    const stop = new AbortController()
    const outcome = tryTool(shell(), { command: 'echo begun; sh stubborn.sh' }, { signal: stop.signal })
    await isReady
    stop.abort()
    expect(await outcome).toMatchObject({ ok: false, cancelled: true })
    expect((await outcome).text).toContain('begun')
    await isGone
  })

  it('is killed two seconds later when it ignores the signal', async () => {
    const clock = createTestClock()
    const { isReady, isGone } = await startStubborn(`trap '' TERM INT HUP\n${FAMILY}`)
    const stop = new AbortController()
    const outcome = tryTool(
      shell(),
      { command: 'sh stubborn.sh' },
      { signal: stop.signal, run: createTestRun({ clock }) },
    )
    await isReady
    stop.abort()
    await clock.waiting()
    await clock.advance(2_000)
    expect(await outcome).toMatchObject({ ok: false, cancelled: true })
    await isGone
  })

  it('by its own time limit has timed out', async () => {
    const clock = createTestClock()
    const { isReady, isGone } = await startStubborn(FAMILY)
    const outcome = tryTool(
      shell(),
      { command: 'sh stubborn.sh', timeout_secs: 7 },
      { run: createTestRun({ clock }) },
    )
    await isReady
    await clock.advance(7_000)
    expect(await outcome).toMatchObject({ ok: false, timedOut: true })
    expect((await outcome).text).toContain('after 7 seconds')
    await isGone
  })

  it('may ask for half an hour at most', async () => {
    const clock = createTestClock()
    const { isReady, isGone } = await startStubborn(FAMILY)
    const outcome = tryTool(
      shell(),
      { command: 'sh stubborn.sh', timeout_secs: 86_400 },
      { run: createTestRun({ clock }) },
    )
    await isReady
    await clock.advance(1_800_000)
    expect(await outcome).toMatchObject({ ok: false, timedOut: true })
    await isGone
  })

  it('before it starts does not start', async () => {
    const stop = new AbortController()
    stop.abort()
    const outcome = await tryTool(shell(), { command: 'sleep 1000' }, { signal: stop.signal })
    expect(outcome).toMatchObject({ ok: false, cancelled: true })
  })
})

describe.skipIf(process.platform === 'win32')('a command that has ended', () => {
  it('leaves no process running', async () => {
    const { isReady, isGone } = await startStubborn('sleep 1000 &\necho ready >&3\n')
    expect(await tryTool(shell(), { command: 'sh stubborn.sh' })).toMatchObject({ ok: true })
    await isReady
    await isGone
  })

  it('is not awaited when a detached process holds its output', async () => {
    const clock = createTestClock()
    await writeFile(join(root, 'away.sh'), 'setsid sleep 2 &\necho done\n')
    const outcome = tryTool(shell(), { command: 'sh away.sh' }, { run: createTestRun({ clock }) })
    await clock.waiting()
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({ ok: true, text: 'done' })
  })
})

describe('the effect of a command', () => {
  it.each([
    ['cat notes.txt', 'read'],
    ['cat sub/../notes.txt', 'read'],
    ['ls | cut -d/ -f1', 'read'],
    ["sed -n '/one/p' notes.txt", 'read'],
    ['echo /etc/passwd', 'read'],
    ['cat missing/file 2>/dev/null', 'read'],
    ['touch new.txt', 'write'],
    ['npm test', 'write'],
    ['curl https://example.com', 'admin'],
    ['npm install', 'admin'],
    ['rm notes.txt', 'admin'],
    ['echo $(ls)', 'admin'],
    // Outside of the root, by every way there is to write it.
    ['cat /etc/passwd', 'admin'],
    ['cat ../secret.txt', 'admin'],
    ['cat sub/../../secret.txt', 'admin'],
    ['cat link.txt', 'admin'],
    ['cat < ../secret.txt', 'admin'],
    ['cat ~/.ssh/id_rsa', 'admin'],
    ['ls ~', 'admin'],
    ['head -c5 /etc/passwd', 'admin'],
    ['grep -f/etc/passwd notes.txt', 'admin'],
    ['grep --file=/etc/passwd notes.txt', 'admin'],
    ['cat /et*/passwd', 'admin'],
    ['find / -name x', 'admin'],
    ['cd / && ls', 'admin'],
    ['cd sub && cd .. && cat ../secret.txt', 'admin'],
    ['echo /etc/passwd | xargs cat', 'admin'],
    ['for file in /etc/*; do cat "$file"; done', 'admin'],
    ['X=/etc/passwd; cat "$X"', 'admin'],
    ['cp notes.txt /opt/x', 'admin'],
    ['echo x > ../new.txt', 'admin'],
    ['git -C .. status', 'admin'],
    ['cat */../../secret.txt', 'admin'],
    ['cat s*/../../secret.txt', 'admin'],
    ['cat li*', 'admin'],
    ['cat ?ink.txt', 'admin'],
    ['cat *', 'admin'],
    ['cat n*', 'read'],
    ['ls sub/x*', 'read'],
    ['cat sub/lin*', 'admin'],
    ['cd sub && cat deep', 'admin'],
    ['cd sub && pwd', 'read'],
    ['cat ~root/.bashrc', 'admin'],
    ['cat ~nobody/x', 'admin'],
    ['ls ~+', 'admin'],
    ['cd', 'admin'],
    ['cd && cat .profile', 'admin'],
    ['cd; ls', 'admin'],
    ['cd - && ls', 'admin'],
    ['cd -- && ls', 'admin'],
    ['cd ~ && ls', 'admin'],
    ['cd s* && ls', 'admin'],
    ['cd "$X" && ls', 'admin'],
    ['pushd && ls', 'admin'],
    ['command cd .. && cat secret.txt', 'admin'],
    ['cat .e*', 'admin'],
    ['cat /proc/self/environ', 'admin'],
    ['env', 'write'],
    ['ps e', 'write'],
    ['echo "$HOME"', 'write'],
    // Inside, but not for these tools.
    ['echo x > .git/hooks/pre-commit', 'admin'],
    ['cat .env', 'admin'],
  ])('%j: %s', async (command, effect) => {
    await mkdir(join(root, '.git/hooks'), { recursive: true })
    await writeFile(join(root, '.env'), 'TOKEN=x')
    await symlink(join(home, 'secret.txt'), join(root, 'sub/link.txt'))
    await symlink(join(home, 'secret.txt'), join(root, 'sub/deep'))
    expect(effectOf(shell(), { command })).toBe(effect)
  })

  it('is judged from the folder it runs in', () => {
    expect(effectOf(shell(), { command: 'cat ../notes.txt', cwd: 'sub' })).toBe('read')
    expect(effectOf(shell(), { command: 'cat ../../secret.txt', cwd: 'sub' })).toBe('admin')
    expect(effectOf(shell(), { command: 'cat secret.txt', cwd: '..' })).toBe('admin')
  })

  it('is admin when it cannot be determined', () => {
    expect(effectOf(shell(), {})).toBe('admin')
    expect(effectOf(shell(), { command: ['ls'] })).toBe('admin')
  })
})
