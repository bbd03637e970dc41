import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Listener } from './listener.ts'
import { createListener, createThread } from './listener.ts'
import type { Role, RunningServers } from './start-servers.ts'
import { startServers } from './start-servers.ts'

const HELP = `Opens many sockets to real servers in processes of their own. Each watches a thread in which turns run all the time.

npm run load-test -- [options]

  --sockets N      open sockets (200)
  --threads N      threads that they watch (as many as sockets)
  --users N        users who share the sockets (10)
  --minutes N      duration (1)
  --reconnects N   connections cut at random meanwhile (0)
  --nodes N        so many nodes on a PostgreSQL of their own, instead of one server with an embedded store. A message
                   goes to another node than the socket that waits for the answer
  --roles LIST     the same, with a role for each node: web,worker,worker
  --json           print the numbers as one line of JSON
  --help

Exits with 1 when an event is missing, repeated or out of order, or the 99th percentile of the delay is 250 ms or more.
`

const GOAL_P99_MS = 250
/** Few samples, because each needs a full garbage collection, which stops the server for a moment. */
const SAMPLES = 4
const STEP_MS = 250

interface Flags {
  readonly sockets: number
  readonly threads: number
  readonly users: number
  readonly minutes: number
  readonly reconnects: number
  /** None: one server with an embedded store. */
  readonly roles: readonly Role[]
  readonly json: boolean
}

async function main(): Promise<number> {
  const flags = readFlags()
  if (!flags) {
    process.stdout.write(HELP)
    return 0
  }
  const servers = await startServers(flags.users, flags.roles)
  try {
    const { listeners, senders } = await openListeners(servers, flags)
    const { memory, reconnects } = await runUntilEnd(servers, listeners, senders, flags)
    const numbers = { ...toNumbers(listeners, flags), reconnects, ...memory }
    process.stdout.write(`${JSON.stringify(numbers, undefined, flags.json ? undefined : 2)}\n`)
    return numbers.faults > 0 || numbers.delayMs.p99 >= GOAL_P99_MS ? 1 : 0
  } finally {
    await servers.stop()
  }
}

/** Undefined when help is asked for. */
function readFlags(): Flags | undefined {
  const { values } = parseArgs({
    options: {
      sockets: { type: 'string', default: '200' },
      threads: { type: 'string' },
      users: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '1' },
      reconnects: { type: 'string', default: '0' },
      nodes: { type: 'string', default: '0' },
      roles: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    sockets: Number(values.sockets),
    threads: Number(values.threads ?? values.sockets),
    users: Number(values.users),
    minutes: Number(values.minutes),
    reconnects: Number(values.reconnects),
    roles: (values.roles?.split(',') ?? Array(Number(values.nodes)).fill('all')) as Role[],
    json: values.json,
  }
}

/** The sockets of a thread are at different nodes. The first of them sends, through the node after its own. */
async function openListeners(
  { urls, tickets }: RunningServers,
  { sockets, threads }: Flags,
): Promise<{ readonly listeners: readonly Listener[]; readonly senders: readonly Listener[] }> {
  const cookies = await Promise.all(tickets.map((ticket) => logIn(urls[0]!, ticket)))
  const ids = await Promise.all(
    Array.from({ length: threads }, (_, n) => createThread(urls[0]!, cookies[n % cookies.length]!)),
  )
  const listeners = await Promise.all(
    Array.from({ length: sockets }, (_, n) => {
      const thread = n % threads
      const node = thread + Math.floor(n / threads)
      return createListener({
        url: urls[node % urls.length]!,
        sendUrl: urls[(node + 1) % urls.length]!,
        cookie: cookies[thread % cookies.length]!,
        threadId: ids[thread]!,
      })
    }),
  )
  return { listeners, senders: listeners.slice(0, threads) }
}

/** Lets turns run, cuts connections, and takes samples of the memory. */
async function runUntilEnd(
  servers: RunningServers,
  listeners: readonly Listener[],
  senders: readonly Listener[],
  { minutes, reconnects }: Flags,
) {
  const start = Date.now()
  const end = start + minutes * 60_000
  const sending = senders.map((listener) => listener.sendUntil(end))
  const memory: Awaited<ReturnType<RunningServers['memory']>>[] = []
  let cut = 0
  while (Date.now() < end) {
    await pause(Math.min(STEP_MS, Math.max(0, end - Date.now())))
    const part = (Date.now() - start) / (end - start)
    if (part * SAMPLES >= memory.length + 1) memory.push(await servers.memory())
    // The number of cuts that are due by now.
    for (const due = Math.floor(reconnects * part); cut < due; cut++)
      listeners[Math.floor(Math.random() * listeners.length)]!.cut()
  }
  await Promise.all(sending)
  await Promise.all(listeners.map((listener) => listener.catchUp()))
  // One value per quarter of the time; the process warms up in the first.
  const toList = (pick: (one: (typeof memory)[number]) => number) => memory.map((one) => toMb(pick(one)))
  return {
    reconnects: cut,
    memory: { rssMb: toList(({ rss }) => rss), heapMb: toList(({ heapUsed }) => heapUsed) },
  }
}

function toNumbers(listeners: readonly Listener[], { minutes, threads, roles }: Flags) {
  const totals = listeners.map((listener) => listener.close())
  const delays = Float64Array.from(totals.flatMap(({ delays: own }) => own)).toSorted()
  const sum = (pick: (total: (typeof totals)[number]) => number) =>
    totals.reduce((count, total) => count + pick(total), 0)
  const gaps = sum((total) => total.gaps)
  const repeats = sum((total) => total.repeats)
  return {
    ...(roles.length > 0 && { roles }),
    sockets: listeners.length,
    threads,
    minutes,
    turns: totals.slice(0, threads).reduce((count, { turns }) => count + turns, 0),
    events: sum(({ events }) => events),
    gaps,
    repeats,
    faults: gaps + repeats,
    delayMs: { p50: at(delays, 0.5), p99: at(delays, 0.99), max: delays.at(-1) ?? 0 },
  }
}

/** Logs in and answers with the cookie. */
async function logIn(url: string, ticket: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ ticket }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`no cookie: ${answer.status}`)
  return cookie
}

const at = (sorted: Float64Array, part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0

const toMb = (bytes: number): number => Math.round(bytes / 1e5) / 10

// The package of the database server ends this process with 0, whatever `exitCode` says.
process.exit(await main())
