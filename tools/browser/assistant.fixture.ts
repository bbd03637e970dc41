import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { EventPage, SettingsPatch, TurnEvent } from '@capstan/protocol'
import { mintTicket, openAuth } from '@capstan/server'

const BINARY = fileURLToPath(new URL('../../packages/cli/bin/capstan.mjs', import.meta.url))

/** The real binary, in a process and a data folder of its own. */
export interface RunningAssistant {
  readonly home: string
  /** Where it answers, also after a restart. */
  readonly url: string
  /** The login link it printed when it started. It works once. */
  readonly printedLink: string
  /** Another link, as `capstan login` prints one. */
  link(): string
  /** As the power cut does: nothing can be put away. */
  kill(): Promise<void>
  /** On the same port, with the same data. */
  restart(): Promise<void>
  /** Conversations, connections and what was always allowed are gone; settings are as in the beginning. */
  reset(): Promise<void>
  change(settings: SettingsPatch): Promise<void>
  /** Everything that was stored of a thread, in the order of the store. */
  events(threadId: string): Promise<readonly TurnEvent[]>
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

export interface StartOptions {
  /** `calm`: as a person sees it, with its pauses. `fast`: without them. */
  readonly pace?: 'calm' | 'fast'
  readonly model?: string
  /** Data that is there already. It is removed at the end, too. */
  readonly home?: string
}

const IN_THE_BEGINNING: SettingsPatch = {
  model: '',
  safetyMode: 'supervised',
  language: '',
  theme: 'system',
  reduceMotion: false,
}

export async function startAssistant(options: StartOptions = {}): Promise<RunningAssistant> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'capstan-browser-')))
  const args = [
    ...(options.pace === 'calm' ? [] : ['--fast']),
    ...(options.model === undefined ? [] : ['--model', options.model]),
  ]
  let process = await startProcess(home, 0, args)
  const { url, link: printedLink } = process
  const { token } = openAuth({ folder: home })

  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as Answer
  }

  return {
    home,
    url,
    printedLink,
    link: () => `${url}/login?ticket=${mintTicket(home)}`,
    kill: () => end(process.child, 'SIGKILL'),
    async restart() {
      process = await startProcess(home, Number(new URL(url).port), args)
    },
    async reset() {
      await ask('POST', '/api/reset', { confirm: 'reset' })
      await ask('PATCH', '/api/settings', IN_THE_BEGINNING)
    },
    change: (settings) => ask('PATCH', '/api/settings', settings),
    async events(threadId) {
      const all: TurnEvent[] = []
      for (;;) {
        const page = await ask<EventPage>(
          'GET',
          `/api/threads/${threadId}/events?limit=1000&after=${all.at(-1)?.seq ?? 0}`,
        )
        all.push(...page.events)
        if (page.events.length === 0 || page.lastSeq <= (all.at(-1)?.seq ?? 0)) return all
      }
    },
    ask,
    async close() {
      await end(process.child, 'SIGTERM')
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly link: string
}

async function startProcess(home: string, port: number, args: readonly string[]): Promise<Started> {
  const child = spawn(
    process.execPath,
    [BINARY, 'serve', '--home', home, '--port', String(port), '--json', ...args],
    // No key of whoever runs the tests, and no model that happens to run on this machine.
    { env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', TZ: 'UTC', OLLAMA_HOST: '127.0.0.1:9' } },
  )
  let problems = ''
  child.stderr.on('data', (chunk: Buffer) => void (problems += chunk.toString()))
  for await (const line of createInterface(child.stdout)) {
    const { url, link } = JSON.parse(line) as { readonly url: string; readonly link: string }
    return { child, url, link }
  }
  throw new Error(`The assistant did not start: ${problems}`)
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}
