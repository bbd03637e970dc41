import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExtraName, MeasuredExtra } from '../measures/extra.ts'
import type { MeasuredAppRequests } from '../measures/measure-app-requests.ts'
import type { MeasuredConnect } from '../measures/measure-connect.ts'
import type { MeasuredPrefix } from '../measures/measure-prefix.ts'
import type { ScenarioName } from '../measures/prefix-scenarios.ts'
import type { MeasuredSessions } from '../measures/measure-sessions.ts'
import type { MeasuredSchema } from '../measures/measure-schema-bytes.ts'
import type { TimedTurns, TimeOptions } from '../measures/time-turns.ts'
import type { SubjectName } from '../subjects/catalog.ts'
import type { Job, LaneMessage } from './job.ts'
import { DATABASE_URL_VARIABLE } from './database-url.ts'
import { STORE_FOLDER_VARIABLE } from './store-folder.ts'

/**
 * A subject in its own process and with its own folder, so that subjects share no heap, compiled code or patched
 * globals. It runs one job at a time. Every job rejects when the subject failed, died or did not answer in time; a
 * lane that died stays dead.
 */
export interface Lane {
  readonly name: SubjectName
  time(options: TimeOptions): Promise<TimedTurns>
  /** The subject and its variants, by name. */
  measurePrefix(scenario: ScenarioName): Promise<Readonly<Record<string, MeasuredPrefix>>>
  measureSessions(): Promise<MeasuredSessions>
  measureSchemaBytes(): Promise<MeasuredSchema>
  measureAppRequests(): Promise<MeasuredAppRequests>
  /** Only for Capstan. */
  measureConnect(): Promise<MeasuredConnect>
  measureExtra(extra: ExtraName): Promise<MeasuredExtra>
  /** Ends the process and removes the folder. */
  close(): Promise<void>
}

const ANSWER_TIMEOUT_MS = 180_000

/** Turns tracing off: nothing leaves the machine, and no subject pays for it. */
const QUIET = {
  DO_NOT_TRACK: '1',
  LANGCHAIN_TRACING_V2: 'false',
  LANGSMITH_TRACING: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  NODE_ENV: 'production',
}

/** Opens a lane. `databaseUrl`: for subjects on PostgreSQL. Throws when the subject cannot be loaded. */
export async function openLane(name: SubjectName, databaseUrl = ''): Promise<Lane> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-bench-'))
  const child = fork(fileURLToPath(new URL('./lane-process.ts', import.meta.url)), [name], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...QUIET, [STORE_FOLDER_VARIABLE]: folder, [DATABASE_URL_VARIABLE]: databaseUrl },
    // Standard output is for the report only.
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  let waiting: { resolve(answer: never): void; reject(reason: Error): void } | undefined
  let death: Error | undefined
  const { promise: gone, resolve: ended } = Promise.withResolvers<void>()

  function die(reason: string): void {
    death ??= new Error(reason)
    child.kill('SIGKILL')
    waiting?.reject(death)
  }
  child.on('message', (message: LaneMessage) => {
    if (message.type === 'broken') waiting?.reject(new Error(message.reason))
    else waiting?.resolve(message.answer)
  })
  child.on('error', (error) => {
    die(`could not be started: ${error.message}`)
    ended()
  })
  child.on('exit', (code, signal) => {
    die(`ended by itself (${signal ?? `code ${code}`})`)
    ended()
  })

  async function nextAnswer<Answer>(): Promise<Answer> {
    if (death) throw death
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    waiting = { resolve, reject }
    const timer = setTimeout(() => die(`gave no answer within ${ANSWER_TIMEOUT_MS} ms`), ANSWER_TIMEOUT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      waiting = undefined
    }
  }
  function ask<Answer>(job: Job): Promise<Answer> {
    const answer = nextAnswer<Answer>()
    if (!death) child.send(job)
    return answer
  }

  async function close(): Promise<void> {
    die('closed')
    await gone
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await nextAnswer<'ready'>()
  } catch (error) {
    await close()
    throw error
  }
  return {
    name,
    time: (options) => ask({ type: 'time', ...options }),
    measurePrefix: (scenario) => ask({ type: 'prefix', scenario }),
    measureSessions: () => ask({ type: 'sessions' }),
    measureSchemaBytes: () => ask({ type: 'schema' }),
    measureAppRequests: () => ask({ type: 'app-requests' }),
    measureConnect: () => ask({ type: 'connect' }),
    measureExtra: (extra) => ask({ type: 'extra', extra }),
    close,
  }
}
