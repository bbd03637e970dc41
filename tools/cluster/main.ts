import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CommandLine } from './options.ts'
import { HELP, readCommandLine } from './options.ts'
import type { RunningCluster } from './start-cluster.ts'
import { startCluster } from './start-cluster.ts'

/** A second Ctrl-C within this time counts as the first: npm repeats the signal that the terminal sent already. */
const SAME_PRESS_MS = 500

const print = (line: string): void => void process.stderr.write(`${line}\n`)

async function main(): Promise<number> {
  let options: CommandLine
  try {
    options = readCommandLine(process.argv.slice(2))
  } catch (error) {
    print((error as Error).message)
    return 2
  }
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const home = options.home === undefined ? await createTemporaryHome() : resolve(options.home)
  try {
    const stopped = waitForStop()
    const cluster = await startCluster({ ...options, home, print })
    greet(cluster, options.json)
    await stopped.first
    print('Stopping …')
    void stopped.second.then(() => cluster.killNodes())
    await cluster.stop()
    return 0
  } catch (error) {
    print((error as Error).message)
    return 1
  } finally {
    if (options.home === undefined) await rm(home, { recursive: true, force: true })
  }
}

/** As root, PostgreSQL runs as another user, who must be able to enter. */
async function createTemporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'capstan-cluster-'))
  await chmod(home, 0o711)
  return home
}

function waitForStop(): { readonly first: Promise<void>; readonly second: Promise<void> } {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let pressedAt: number | undefined
  const press = (): void => {
    if (pressedAt !== undefined && performance.now() - pressedAt > SAME_PRESS_MS) second.resolve()
    pressedAt ??= performance.now()
    first.resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, press)
  return { first: first.promise, second: second.promise }
}

function greet({ url, link, loginHome, databaseUrl, nodes }: RunningCluster, json: boolean): void {
  const shown = nodes.map(({ name, role, pid, url: own }) => ({ name, role, pid, url: own }))
  if (json) return void process.stdout.write(`${JSON.stringify({ url, link, databaseUrl, nodes: shown })}\n`)
  const rows = shown.map((node) => `  ${node.name}  ${node.role.padEnd(6)}  ${node.url}  process ${node.pid}`)
  const lines = [
    '',
    `Capstan is running at ${url}`,
    '',
    'Log in with this link. It works once, within an hour:',
  ]
  const hints = [`A new link: npx capstan login --home ${loginHome}`, 'Ctrl-C stops it.']
  process.stdout.write(`${[...lines, `  ${link}`, '', ...rows, '', ...hints, ''].join('\n')}\n`)
}

process.exitCode = await main()
