import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createListener } from './listener.ts'

const HELP = `Opens many sockets to a real server in its own process. Each watches a thread in which turns run all the time.

npm run load-test -- [options]

  --sockets N      open sockets (200)
  --users N        users who share the sockets (10)
  --minutes N      duration (1)
  --reconnects N   connections cut at random meanwhile (0)
  --json           print the numbers as one line of JSON
  --help

Exits with 1 when an event is missing, repeated or out of order, or the 99th percentile of the delay is 250 ms or more.
`

const GOAL_P99_MS = 250
/** Few samples, because each needs a full garbage collection, which stops the server for a moment. */
const SAMPLES = 4
const STEP_MS = 250

interface Memory {
  readonly rss: number
  readonly heapUsed: number
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sockets: { type: 'string', default: '200' },
      users: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '1' },
      reconnects: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const folder = await mkdtemp(join(tmpdir(), 'capstan-load-'))
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [folder, values.users], {
    execArgv: ['--expose-gc'],
  })
  try {
    const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended: ${code}`)))
    died.catch(() => {})
    const answer = async <Answer>(): Promise<Answer> => {
      const [message] = (await Promise.race([once(child, 'message'), died])) as [Answer]
      return message
    }
    const up = await answer<{ url: string; tickets: string[] }>()
    const memoryOf = (): Promise<Memory> => {
      child.send('memory')
      return answer<Memory>()
    }
    const cookies = await Promise.all(up.tickets.map((ticket) => logIn(up.url, ticket)))
    const listeners = await Promise.all(
      Array.from({ length: Number(values.sockets) }, (_, n) =>
        createListener(up.url, cookies[n % cookies.length]!),
      ),
    )
    const start = Date.now()
    const end = start + Number(values.minutes) * 60_000
    const sending = listeners.map((listener) => listener.sendUntil(end))
    const memory: Memory[] = []
    const cuts = Number(values.reconnects)
    let cut = 0
    while (Date.now() < end) {
      await pause(Math.min(STEP_MS, Math.max(0, end - Date.now())))
      if (((Date.now() - start) / (end - start)) * SAMPLES >= memory.length + 1) memory.push(await memoryOf())
      // The number of cuts that are due by now.
      const due = Math.floor((cuts * (Date.now() - start)) / (end - start))
      for (; cut < due; cut++) listeners[Math.floor(Math.random() * listeners.length)]!.cut()
    }
    await Promise.all(sending)
    const totals = listeners.map((listener) => listener.close())
    const delays = Float64Array.from(totals.flatMap(({ delays: own }) => own)).toSorted()
    const sum = (pick: (total: (typeof totals)[number]) => number) =>
      totals.reduce((count, total) => count + pick(total), 0)
    const numbers = {
      sockets: listeners.length,
      minutes: Number(values.minutes),
      turns: sum(({ turns }) => turns),
      events: sum(({ events }) => events),
      reconnects: cut,
      faults: sum(({ faults }) => faults),
      delayMs: { p50: at(delays, 0.5), p99: at(delays, 0.99), max: delays.at(-1) ?? 0 },
      // One value per quarter of the time; the process warms up in the first.
      rssMb: memory.map(({ rss }) => toMb(rss)),
      heapMb: memory.map(({ heapUsed }) => toMb(heapUsed)),
    }
    process.stdout.write(
      values.json ? `${JSON.stringify(numbers)}\n` : `${JSON.stringify(numbers, undefined, 2)}\n`,
    )
    return numbers.faults > 0 || numbers.delayMs.p99 >= GOAL_P99_MS ? 1 : 0
  } finally {
    if (child.connected) child.send('stop')
    if (child.exitCode === null) await Promise.race([once(child, 'exit'), pause(10_000)])
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
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

process.exitCode = await main()
