import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAFE_SHELL_ENVIRONMENT } from '@capstan/harness/tools'
import type { Finding } from './read-trace.ts'
import { readTrace } from './read-trace.ts'

/** A command line, the folder it runs in, and the shell that runs it. */
export interface Case {
  readonly line: string
  readonly folder: string
  readonly shell: 'dash' | 'bash'
}

/** What a traced run needs and this machine lacks, in words; undefined when everything is there. */
export function whyNoTracing(): string | undefined {
  const missing = ['bwrap', 'strace', 'dash', 'bash', 'git'].filter(
    (name) => spawnSync(name, ['--version']).error,
  )
  if (missing.length > 0)
    return `not installed: ${missing.join(', ')} (Debian: apt-get install bubblewrap strace)`
  const { status, stderr } = spawnSync('bwrap', [...CONFINED, 'strace', '-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  })
  return status === 0 ? undefined : `a traced program does not run in bubblewrap here: ${stderr.trim()}`
}

const CONFINED = [
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
  '--unshare-all',
  '--die-with-parent',
]

const TRACED =
  `execve execveat open openat openat2 creat truncate ftruncate fallocate connect bind sendto sendmsg unlink unlinkat
  rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat chmod fchmod fchmodat chown fchown
  lchown fchownat utime utimes utimensat futimesat setxattr lsetxattr fsetxattr removexattr mount umount2 settimeofday
  clock_settime sethostname setdomainname ptrace process_vm_readv process_vm_writev`.split(/\s+/)

/** The value of a variable that no command may show. */
const SEEDED_TOKEN = 'seeded-token-4711'
const NOTED = new RegExp(String.raw`@mark \d+\n|${SEEDED_TOKEN}`, 'g')

/**
 * Runs command lines in a sandbox without a network, each as it would be run after it was judged
 * `read`, and tells what they did that a read does not do.
 */
export async function traceLines(cases: readonly Case[], world: string): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-trace-'))
  try {
    mkdirSync(join(folder, 'marks'))
    cases.forEach((_, index) => writeFileSync(join(folder, 'marks', String(index)), ''))
    writeFileSync(join(folder, 'driver'), cases.map((one, index) => step(folder, one, index)).join('\n'))
    const output = await runDriver(folder, world)
    return readTrace(readFileSync(join(folder, 'trace'), 'utf8'), output, SEEDED_TOKEN).map(
      ({ index, what }) => ({ ...cases[index]!, what }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Opening the mark tells the trace, and printing it tells the output, which line the rest belongs to.
function step(folder: string, { line, folder: place, shell }: Case, index: number): string {
  const quoted = `'${line.replaceAll("'", String.raw`'\''`)}'`
  return `: < ${folder}/marks/${index}; echo "@mark ${index}"; cd ${place}; timeout -s KILL 5 /bin/${shell} -c ${quoted} < /dev/null 2>&1`
}

function runDriver(folder: string, world: string): Promise<string> {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: world,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SEEDED_TOKEN,
    ...SAFE_SHELL_ENVIRONMENT,
  }
  const tracer = `strace -f --seccomp-bpf -qq -s 300 -e signal=none -e trace=${TRACED.map((name) => `?${name}`).join(',')}`
  const args = [...CONFINED, '--bind', world, world, '--bind', folder, folder, ...tracer.split(' ')]
  args.push('-o', join(folder, 'trace'), 'dash', join(folder, 'driver'))
  return new Promise((resolve, reject) => {
    const child = spawn('bwrap', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    // Only what matters is kept: some commands print without end until their time is up.
    const found: string[] = []
    let rest = ''
    child.stdout.on('data', (piece: Buffer) => {
      const text = rest + piece.toString('latin1')
      let end = 0
      for (const match of text.matchAll(NOTED)) {
        found.push(match[0])
        end = match.index + match[0].length
      }
      rest = text.slice(Math.max(end, text.length - 40))
    })
    child.once('error', reject)
    child.once('close', () => resolve(found.join('\n')))
  })
}
