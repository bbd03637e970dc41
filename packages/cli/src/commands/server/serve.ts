import { resolve } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import { UNCONFINED } from '@capstan/harness/sandbox'
import type { Assistant, RunningServer } from '@capstan/server'
import { refuseMoved, removeMovedNote } from '@capstan/stores'
import { CALM, DEMO_LABEL, FAST } from '@capstan/demo'
import { toPrintableLine } from '../../terminal/printable.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { buildWebApp, findWebSources } from '../../serve/build-web-app.ts'
import { toLoginCommand } from '../../serve/login-command.ts'
import { createProblemPrinter } from '../../serve/problem-printer.ts'
import { openInBrowser } from '../../serve/open-in-browser.ts'
import { parseLogLevel, parseOrigin, parsePort } from '../../serve/serve-flags.ts'
import { waitForStop } from '../../shell/wait-for-stop.ts'
import { checkHome, checkPort, toListenError } from '../../serve/startup-checks.ts'
import { findServer, writeServerFile } from '../../server-access/server-file.ts'
import { startDemoApp } from '../../serve/start-demo-app.ts'
import { readEnvironmentFile } from '../../agent-folder/environment-file.ts'
import type { FolderAgent } from '../../agent-folder/read-agent-folder.ts'
import { readAgentFolder } from '../../agent-folder/read-agent-folder.ts'
import { MODEL_HELP } from '../../agent/choose-model.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan serve [options]

Runs the assistant for a browser. Builds the web app when needed, starts the Notes demo app and prints a login link.
Without a model key it uses a scripted demo model. Ctrl-C stops the server; the next start resumes unfinished turns.

  --port <n>            the port to listen on; default 4100; 0 takes any free port
  --host <address>      default 127.0.0.1: this machine only; 0.0.0.0 lets other machines in
  --origin <url>        another address that browsers use, such as https://capstan.example.org of a proxy; can be
                        repeated. IP addresses, localhost and --host are always allowed
  --trusted-proxy <ip>  a proxy in front of this server, as an address or a range such as 10.0.0.0/8; can be repeated.
                        Only its X-Forwarded-For, -Proto and -Host headers count
${HOME_HELP}
${MODEL_HELP}
                        The settings page can change it
  --agent <folder>      the agent in this folder: instructions.md, tools/*.ts, agents/*.md, connections.json. Variables in
                        .env of the current folder are set. See "capstan init"
  --no-demo             do not start the Notes demo app
  --no-sandbox          run commands and MCP servers on this machine unconfined, with all your rights. Without it they
                        are confined by bubblewrap, or refused when it does not work here
  --fast                run the demo model without pauses
  --open                open the link in a browser
  --moved-anyway        go on with a data folder whose contents were moved to PostgreSQL. What happens from then on is
                        missing there
  --log <level>         debug, info, warn or error, to standard error; default warn
  --json                print the address and the link as one line of JSON

The same options can be set in config.json in the data folder ({"port": 4100, "host": "…", "origins": ["…"],
"trustedProxies": ["…"], "log": "warn", "demo": true, "sandbox": "on", "fetchHosts": ["wiki.local:80"], "agents": {"researcher": {"maxIterations": 20}}, "limits": {…}}) or in the environment: CAPSTAN_PORT,
CAPSTAN_HOST, CAPSTAN_ORIGINS, CAPSTAN_TRUSTED_PROXIES, CAPSTAN_LOG, CAPSTAN_DEMO, CAPSTAN_SANDBOX. Flags override the environment;
the environment overrides the file.

Several nodes on PostgreSQL: DATABASE_URL=postgres://… with the same CAPSTAN_SECRET_KEY (64 hexadecimal digits) or
CAPSTAN_KEY_FILE on all of them; CAPSTAN_ROLE=all|web|worker, CAPSTAN_NODE_ID, CAPSTAN_CONCURRENCY (threads at a time),
CAPSTAN_DEMO_APP=<address> (one Notes demo app for all of them).
Then the data folder holds nothing that must be kept. See docs/cluster.md.

Exit codes: 0 stopped, 1 could not start, 2 bad usage`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  origin: { type: 'string', multiple: true },
  'trusted-proxy': { type: 'string', multiple: true },
  home: { type: 'string' },
  model: { type: 'string' },
  agent: { type: 'string' },
  'no-demo': { type: 'boolean' },
  'no-sandbox': { type: 'boolean' },
  fast: { type: 'boolean' },
  open: { type: 'boolean' },
  'moved-anyway': { type: 'boolean' },
  log: { type: 'string' },
  json: { type: 'boolean' },
} as const

const DEFAULT_PORT = 4100
const LOOPBACK = '127.0.0.1'
const LOOPBACKS: ReadonlySet<string> = new Set([LOOPBACK, '::1', 'localhost'])

export const serve: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'serve', options: OPTIONS })
    const flags = {
      port: values.port === undefined ? undefined : parsePort(values.port),
      level: values.log === undefined ? undefined : parseLogLevel(values.log),
      origins: values.origin?.map(parseOrigin),
    }
    const home = homeOf(values.home, shell.env)
    const agent = values.agent === undefined ? undefined : await openAgent(values.agent, shell)
    const {
      createAssistant,
      createLogger,
      findWebApp,
      openAuth,
      readDatabaseOptions,
      readServerConfig,
      startServer,
    } = await import('@capstan/server')
    const config = readServerConfig(home, shell.env)
    const port = flags.port ?? config.port ?? DEFAULT_PORT
    const host = values.host ?? config.host ?? LOOPBACK
    const level = flags.level ?? config.log ?? 'warn'
    const allowedOrigins = flags.origins ?? config.origins ?? []
    const trustedProxies = values['trusted-proxy'] ?? config.trustedProxies ?? []
    const isLocal = LOOPBACKS.has(host) && allowedOrigins.length === 0 && trustedProxies.length === 0
    const hasDemo = !values['no-demo'] && config.demo !== false
    const isUnconfined = values['no-sandbox'] === true || config.sandbox === 'off'
    refuseSecondServer(home)
    checkHome(home)
    if (values['moved-anyway']) removeMovedNote(home)
    else if (!shell.env['DATABASE_URL']) refuseMoved(home)
    await checkPort(host, port)
    const print = (line: string): void => void shell.stderr.write(`${line}\n`)
    const webRoot = findWebApp() ?? (await buildWebApp(findWebSources(), print))
    const logger = createLogger({ level, to: { write: (line) => void shell.stderr.write(line) } })

    const closing: (() => unknown)[] = []
    const closeAll = async (): Promise<void> => {
      for (const close of closing.splice(0).toReversed()) await close()
    }
    try {
      const demoUrl = hasDemo ? shell.env['CAPSTAN_DEMO_APP'] : undefined
      const app = hasDemo && !demoUrl ? await startDemoApp(home) : undefined
      if (app) closing.push(() => app.close())
      const notesUrl = demoUrl || app?.mcpUrl
      const database = readDatabaseOptions(shell.env)
      const assistant = await createAssistant({
        folder: home,
        ...(database && { database }),
        env: shell.env,
        ...agent,
        presets: [...(notesUrl ? [toPreset(notesUrl)] : []), ...(agent?.presets ?? [])],
        webRoot,
        demoPace: values.fast ? FAST : CALM,
        logger,
        ...(isUnconfined ? { sandbox: UNCONFINED } : undefined),
        ...(values.model ? { modelName: values.model } : undefined),
        ...(config.fetchHosts ? { fetchHosts: config.fetchHosts } : undefined),
        ...(config.agents ? { agentSettings: config.agents } : undefined),
        onProblem: createProblemPrinter(print),
      })
      closing.push(() => assistant.stop({ graceMs: 0 }))
      const auth = openAuth({ folder: home, ...(assistant.shared && { shared: assistant.shared }) })
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
          trustedProxies,
          // The path of a folder is for this machine only.
          ...(isLocal && { loginCommand: toLoginCommand(home, shell.env) }),
          ...(config.limits ? { limits: config.limits } : undefined),
        })
      } catch (error) {
        throw toListenError(error, host, port)
      }
      closing.push(() => server.stop())
      closing.push(writeServerFile(home, { ...server, ...(database && { isNode: true }) }))
      // Who starts one of several nodes is seldom at its machine.
      const link = `${database ? server.linkUrl : server.url}/login?ticket=${auth.mintTicket()}`
      greet(shell, { server, link, home, assistant, json: values.json ?? false })
      warn(print, { isOpen: !LOOPBACKS.has(host), isUnconfined })
      if (values.open) openInBrowser(link)
      await waitForStop(shell)
      if (!values.json) print('Stopping …')
      return EXIT.done
    } catch (error) {
      throw withKeyHint(error)
    } finally {
      await closeAll()
    }
  },
}

async function openAgent(folder: string, { env }: Shell): Promise<FolderAgent> {
  readEnvironmentFile('.')
  return readAgentFolder(resolve(folder), env)
}

function warn(
  print: (line: string) => void,
  { isOpen, isUnconfined }: { readonly isOpen: boolean; readonly isUnconfined: boolean },
): void {
  if (isOpen)
    print(
      'Other machines can reach this server, by an IP address of this machine or an address given with --origin. ' +
        'Anyone with the link can log in. Without a TLS proxy, others on the network can read the traffic.',
    )
  if (isUnconfined)
    print('The sandbox is off: commands and MCP servers on this machine run with all your rights.')
}

function refuseSecondServer(home: string): void {
  const running = findServer(home)
  // In a container, the process that was killed had the number of this one.
  if (running && running.pid !== process.pid)
    throw new CommandError(
      `Capstan is running already for ${home}, at ${running.url}: "capstan login" prints a new login link.`,
    )
}

const toPreset = (url: string) => ({
  slug: 'notes',
  name: 'Notes',
  description: 'Pages of a notebook: search, read, write. The demo app that comes with Capstan.',
  transport: { type: 'http' as const, url },
  sync: {
    list: {
      action: 'list_pages',
      cursor: 'cursor',
      items: 'pages',
      next: 'nextCursor',
      total: 'total',
      isNewestFirst: true,
    },
    read: { action: 'read_page', id: 'pageId', item: 'page' },
    fields: { id: 'id', version: 'version', at: 'updatedAt', title: 'title', text: 'text', link: 'url' },
  },
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
    paint(style, 'dim', 'Ctrl-C stops it. "capstan login" prints a new login link.'),
    '',
  ])
}

/** Turns a missing model key into a usage error that names it. */
function withKeyHint(error: unknown): unknown {
  if (!(error instanceof ConfigurationError) || !error.field.endsWith('_KEY')) return error
  const problem = error.message.slice(error.field.length + 2)
  return new UsageError(`${error.field} ${problem}: set it, or leave out --model.`)
}
