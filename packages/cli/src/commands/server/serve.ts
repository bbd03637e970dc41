import { spawn } from 'node:child_process'
import { ConfigurationError, scrubSecrets } from '@capstan/harness'
import type { NotesApp } from '@capstan/notes-app'
import type { Assistant, RunningServer } from '@capstan/server'
import { CALM, DEMO_LABEL, FAST } from '@capstan/server/demo'
import { toPrintableLine } from '../../terminal/printable.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { buildWebApp, findWebSources } from '../../serve/build-web-app.ts'
import { checkHome, checkPort, toProblem } from '../../serve/startup-checks.ts'
import { findServer, writeServerFile } from '../../server-access/server-file.ts'
import { startDemoApp } from '../../serve/start-demo-app.ts'
import { MODEL_HELP } from '../../agent/choose-model.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan serve [options]

The assistant in a browser. Builds the web app where that is needed, starts the Notes demo app, and prints one link to
log in with. Without any key it runs on a scripted demo model. Ctrl-C stops it; what was not finished goes on at the
next start.

  --port <n>            where to listen; default 4100, 0 takes any that is free
  --host <address>      default 127.0.0.1: this machine alone; 0.0.0.0 lets others in
  --origin <url>        another address browsers see it under, such as https://capstan.example.org of a proxy in front
                        of it; may be given several times. Numbers, localhost and --host need none
${HOME_HELP}
${MODEL_HELP}
                        Settings in the browser change it
  --no-demo             without the Notes demo app
  --fast                the demo model without its pauses
  --open                open the link in a browser
  --log <level>         debug, info, warn or error, to standard error; default warn
  --json                what would be printed as one line of JSON

The same can be said in config.json of the data folder ({"port": 4100, "host": "…", "origins": ["…"], "log": "warn",
"demo": true, "limits": {…}}) or in the environment: CAPSTAN_PORT, CAPSTAN_HOST, CAPSTAN_ORIGINS, CAPSTAN_LOG,
CAPSTAN_DEMO. A flag goes before the environment, and that before the file.

Exit codes: 0 stopped, 1 it could not start, 2 bad usage`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  origin: { type: 'string', multiple: true },
  home: { type: 'string' },
  model: { type: 'string' },
  'no-demo': { type: 'boolean' },
  fast: { type: 'boolean' },
  open: { type: 'boolean' },
  log: { type: 'string' },
  json: { type: 'boolean' },
} as const

const DEFAULT_PORT = 4100
const LOOPBACK = '127.0.0.1'
const LOOPBACKS: ReadonlySet<string> = new Set([LOOPBACK, '::1', 'localhost'])

export const serve: Command = {
  summary: 'start the assistant in a browser',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'serve', options: OPTIONS })
    const flags = {
      port: values.port === undefined ? undefined : toPort(values.port),
      level: values.log === undefined ? undefined : toLevel(values.log),
      origins: values.origin?.map(toOrigin),
    }
    const home = homeOf(values.home, shell.env)
    const { createAssistant, createLogger, openAuth, readServerConfig, startServer } =
      await import('@capstan/server')
    const config = readServerConfig(home, shell.env)
    const port = flags.port ?? config.port ?? DEFAULT_PORT
    const host = values.host ?? config.host ?? LOOPBACK
    const level = flags.level ?? config.log ?? 'warn'
    const allowedOrigins = flags.origins ?? config.origins ?? []
    const hasDemo = !values['no-demo'] && config.demo !== false
    refuseSecond(home)
    checkHome(home)
    await checkPort(host, port)
    const print = (line: string): void => void shell.stderr.write(`${line}\n`)
    const webRoot = await buildWebApp(findWebSources(), print)
    const logger = createLogger({ level, to: { write: (line) => void shell.stderr.write(line) } })

    const closing: (() => unknown)[] = []
    const closeAll = async (): Promise<void> => {
      for (const close of closing.splice(0).toReversed()) await close()
    }
    try {
      const app = hasDemo ? await startDemoApp(home) : undefined
      if (app) closing.push(() => app.close())
      const assistant = await createAssistant({
        folder: home,
        env: shell.env,
        presets: app ? [toPreset(app)] : [],
        webRoot,
        demoPace: values.fast ? FAST : CALM,
        ...(values.model ? { modelName: values.model } : undefined),
        onProblem: (problem) => print(`capstan: ${toPrintableLine(scrubSecrets(messageOf(problem)))}`),
      })
      closing.push(() => assistant.stop({ graceMs: 0 }))
      const auth = openAuth({ folder: home })
      let server: RunningServer
      try {
        server = await startServer({
          assistant,
          auth,
          host,
          port,
          webRoot,
          logger,
          allowedOrigins,
          ...(config.limits ? { limits: config.limits } : undefined),
        })
      } catch (error) {
        throw toProblem(error, host, port)
      }
      closing.push(() => server.stop())
      closing.push(writeServerFile(home, server.url))
      const link = `${server.url}/login?ticket=${auth.mintTicket()}`
      greet(shell, { server, link, home, assistant, json: values.json ?? false })
      if (!LOOPBACKS.has(host))
        print(
          'Other machines can reach it, by a number of this one or an address given with --origin. The link is all ' +
            'they need to log in, and without TLS in front of it whoever is on the way can read along.',
        )
      if (values.open) openInBrowser(link)
      await untilStopped(shell)
      if (!values.json) print('Stopping …')
      return EXIT.done
    } catch (error) {
      throw toUsageError(error)
    } finally {
      await closeAll()
    }
  },
}

function toPort(flag: string): number {
  const port = Number(flag)
  if (!/^\d{1,5}$/.test(flag) || port > 65_535)
    throw new UsageError(`--port is a whole number from 0 to 65535, not "${flag}".`)
  return port
}

function toOrigin(flag: string): string {
  const url = URL.parse(flag)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !['', '/'].includes(`${url.pathname}${url.search}${url.hash}`)
  )
    throw new UsageError(`--origin is an address such as https://capstan.example.org, not "${flag}".`)
  return url.origin
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

function toLevel(flag: string): (typeof LEVELS)[number] {
  const level = LEVELS.find((known) => known === flag)
  if (!level) throw new UsageError(`--log is one of ${LEVELS.join(', ')}, not "${flag}".`)
  return level
}

function refuseSecond(home: string): void {
  const running = findServer(home)
  if (running)
    throw new CommandError(
      `Capstan is running already for ${home}, at ${running.url}: "capstan login" prints a new link to it.`,
    )
}

const toPreset = (app: NotesApp) => ({
  slug: 'notes',
  name: 'Notes',
  description: 'Pages of a notebook: search, read, write. The demo app that comes with Capstan.',
  transport: { type: 'http' as const, url: app.mcpUrl },
})

interface Greeting {
  readonly server: RunningServer
  readonly link: string
  readonly home: string
  readonly assistant: Assistant
  readonly json: boolean
}

function greet(shell: Shell, { server, link, home, assistant, json }: Greeting): void {
  const { modelInUse, demoApp } = assistant.readSettings('local')
  if (json) {
    writeJson(shell, { url: server.url, link, home, pid: process.pid, model: modelInUse, demoApp })
    return
  }
  const style = styleOf(shell.stdout, shell.env)
  writeLines(shell, [
    '',
    `${paint(style, 'bold', 'Capstan')} is running at ${server.url}`,
    '',
    'Log in with this link. It works once, within an hour:',
    `  ${paint(style, 'cyan', link)}`,
    '',
    paint(style, 'dim', modelInUse.isDemo ? DEMO_LABEL : `Model: ${toPrintableLine(modelInUse.name)}`),
    paint(style, 'dim', `Data folder: ${toPrintableLine(home)}`),
    paint(style, 'dim', 'Ctrl-C stops it. "capstan login" prints a new link.'),
    '',
  ])
}

/** So soon after the first, it is the same press: npm passes on what the terminal has sent already. */
const SAME_PRESS_MS = 500

/** The first word to stop begins a graceful end; a second Ctrl-C does not wait for it. */
function untilStopped(shell: Shell): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined
    const stop = (): void => {
      stoppedAt ??= performance.now()
      resolve()
    }
    shell.onInterrupt(() => {
      if (stoppedAt === undefined) stop()
      else if (performance.now() - stoppedAt > SAME_PRESS_MS) shell.exit(EXIT.aborted)
    })
    shell.onTerminate(stop)
  })
}

/** Whoever cannot open one has the link in front of them. */
function openInBrowser(link: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** A missing key is named as one. */
function toUsageError(error: unknown): unknown {
  if (!(error instanceof ConfigurationError) || !error.field.endsWith('_KEY')) return error
  const problem = error.message.slice(error.field.length + 2)
  return new UsageError(`${error.field} ${problem}: set it, or leave out --model.`)
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))
