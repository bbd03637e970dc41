import { readdirSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createBubblewrapSandbox } from '../bubblewrap-sandbox.ts'
import { missing, runScript } from '../confined.fixture.ts'
import { tryOut } from '../try-out.ts'
import { canHoldByCgroup } from './cgroup.ts'
import { findCgroupPlaces, readCgroupFacts } from './find-cgroup.ts'
import { findHolding } from './find-holding.ts'
import { findPidNamespaceHold } from './pid-namespace.ts'

const NO_CGROUPS = { groups: '', mounts: '' }
const place = findCgroupPlaces(readCgroupFacts()).find(canHoldByCgroup)
const isRoot = process.getuid?.() === 0
const groupsOf = (pid: number | undefined): readonly string[] =>
  readdirSync(place!.folder).filter((name) => name.startsWith(`capstan-${pid}-`))

describe('places for a cgroup', () => {
  const mounts = [
    '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate',
    '40 23 0:30 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids',
    '41 23 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
  ]

  it('are inside our own group and beside it in version 2', () => {
    const groups = '0::/user.slice/user@1000.service/app.slice/capstan.scope\n'
    expect(findCgroupPlaces({ groups, mounts: mounts[0]! })).toEqual([
      { version: 2, folder: '/sys/fs/cgroup/user.slice/user@1000.service/app.slice/capstan.scope' },
      { version: 2, folder: '/sys/fs/cgroup/user.slice/user@1000.service/app.slice' },
    ])
  })

  it('never lie above the tree that is mounted', () => {
    expect(findCgroupPlaces({ groups: '0::/\n', mounts: mounts[0]! })).toEqual([
      { version: 2, folder: '/sys/fs/cgroup' },
    ])
    const nested = '30 23 0:26 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup2 rw'
    expect(findCgroupPlaces({ groups: '0::/docker/ab\n', mounts: nested })).toEqual([
      { version: 2, folder: '/sys/fs/cgroup' },
    ])
    expect(findCgroupPlaces({ groups: '0::/elsewhere\n', mounts: nested })).toEqual([])
  })

  it('are in the tree of processes in version 1', () => {
    const groups = '8:pids:/box\n4:memory:/other\n'
    expect(findCgroupPlaces({ groups, mounts: mounts.slice(1).join('\n') })).toEqual([
      { version: 1, folder: '/sys/fs/cgroup/pids/box' },
    ])
  })
})

describe('what holds the processes of a program', () => {
  it('is the kernel itself for a normal user', () => {
    const { found, next } = findHolding({ isRoot: false, cgroups: NO_CGROUPS })
    expect({ found, next }).toEqual({ found: 'The kernel limits their processes.', next: undefined })
  })

  it('is nothing for root on an old kernel without a cgroup, and that is said', () => {
    const { found, next, create } = findHolding({ isRoot: true, cgroups: NO_CGROUPS, kernel: '6.8.0-40' })
    expect(found).toContain('can take this machine down')
    expect(next).toContain('normal user')
    expect(create({ processes: 1, memoryMb: 1, fileMb: 1 }).prefix).toEqual([])
  })

  it('is part of what the check says, also when it is nothing', async () => {
    const holding = () => findHolding({ isRoot: true, cgroups: NO_CGROUPS, kernel: '6.8.0-40' })
    const nothing = () => {}
    const supervision = { watch: nothing, explain: () => undefined, release: nothing }
    const build = () => Promise.resolve({ command: '/bin/true', args: [], env: {}, ...supervision })
    expect(await tryOut(build, [], holding)).toEqual({
      state: 'works',
      found: expect.stringContaining('only counted four times a second'),
      next: holding().next,
    })
  })

  it.runIf(isRoot)('leaves the process ids of the machine alone', () => {
    const before = spawnSync('cat', ['/proc/sys/kernel/pid_max']).stdout.toString()
    findHolding({ isRoot: true, cgroups: NO_CGROUPS })
    expect(spawnSync('cat', ['/proc/sys/kernel/pid_max']).stdout.toString()).toBe(before)
  })
})

const inNamespace = isRoot ? findPidNamespaceHold() : undefined

describe.skipIf(inNamespace === undefined)('a namespace with few process ids', { timeout: 30_000 }, () => {
  const start = (script: string) => {
    const [command = '', ...args] = inNamespace!({ processes: 3, memoryMb: 64, fileMb: 1 }).prefix
    const child = spawn(command, [...args, '/bin/sh', '-c', script], { detached: true })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    return { child, ended }
  }

  it('holds a program that starts processes without end', async () => {
    const { child, ended } = start(
      'no=0; while [ $no -lt 600 ]; do sleep 60 & no=$((no + 1)); echo $no; done',
    )
    let out = ''
    child.stdout.on('data', (piece) => (out += String(piece)))
    expect(await ended).not.toBe(0)
    expect(out.trim().split('\n').length).toBeLessThanOrEqual(400)
  })

  it('passes the input and the exit code on', async () => {
    const { child, ended } = start('read line; [ "$line" = hello ] && exit 7')
    child.stdin.end('hello\n')
    expect(await ended).toBe(7)
  })

  it('ends when its group is asked to', async () => {
    const { child, ended } = start('echo ready; sleep 60')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    process.kill(-child.pid!, 'SIGTERM')
    expect(await ended).toBe(143)
  })
})

describe.skipIf(missing !== undefined)(
  'a program that starts processes without end',
  { timeout: 30_000 },
  () => {
    const sandbox = createBubblewrapSandbox({ hidden: [] })
    const { next } = findHolding()

    it.skipIf(next !== undefined)(
      'cannot start more than the kernel was told, however fast it is',
      async () => {
        const many = `no=0; while [ $no -lt 2000 ]; do sleep 60 & no=$((no + 1)); echo $no; done; wait`
        const { out } = await runScript(sandbox, many, { limits: { processes: 5 } })
        expect(out.trim().split('\n').length).toBeLessThanOrEqual(80)
      },
    )

    it.skipIf(next !== undefined)('is ended, also when each of them starts two more', async () => {
      const { explained } = await runScript(sandbox, 'b() { sleep 60 & b & b & wait; }; b & exec sleep 60', {
        limits: { processes: 50 },
      })
      expect(explained).toContain('more than 50 processes')
    })
  },
)

describe.skipIf(place === undefined || missing !== undefined)('the cgroup of a program', () => {
  it('is removed when the program has ended', async () => {
    const sandbox = createBubblewrapSandbox({ hidden: [] })
    await runScript(sandbox, 'sleep 60 & true')
    await expect.poll(() => groupsOf(process.pid), { timeout: 5_000 }).toEqual([])
  })

  it('is removed at the next start when our process was killed', async () => {
    const module = new URL('./cgroup.ts', import.meta.url).href
    const script = `import { createCgroupHold } from '${module}'
      createCgroupHold(${JSON.stringify(place)}, { processes: 5, memoryMb: 64, fileMb: 1 })
      console.log('made'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(groupsOf(child.pid)).toHaveLength(1)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    await createBubblewrapSandbox({ hidden: [] }).check()
    expect(groupsOf(child.pid)).toEqual([])
  })
})
