import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const BINARY = fileURLToPath(new URL('../../bin/capstan.mjs', import.meta.url))

/** An environment without model keys and without a local Ollama. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LANG: 'C.UTF-8',
  CAPSTAN_HOME: home,
  OLLAMA_HOST: '127.0.0.1:9',
})

function start(home: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [BINARY, ...args], { env: environment(home) })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs one command of the real binary to its end. */
export async function capstan(home: string, ...args: readonly string[]) {
  const child = start(home, args)
  child.stdin?.end()
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)])
  return { code, out, err }
}

/** A server started by the real binary. */
export interface ServerProcess {
  readonly url: string
  readonly link: string
  /** Sends a request to its API, with the cookie of a login. */
  request<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends the signal. Settles with the exit code. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>
}

/** Starts `capstan serve` and logs in. */
export async function startServerProcess(home: string, ...args: readonly string[]): Promise<ServerProcess> {
  const child = start(home, ['serve', '--port', '0', '--json', ...args])
  const errors = text(child.stderr!)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const lines = createInterface({ input: child.stdout! })
  const greeting = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(async (code) => {
      throw new Error(`it ended with ${code}: ${await errors}`)
    }),
  ])
  const { url, link } = JSON.parse(greeting) as { url: string; link: string }
  const login = await fetch(new URL('/login', url), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
    body: new URL(link).searchParams,
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    url,
    link,
    async request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          cookie,
          origin: url,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (response.status === 204 ? undefined : await response.json()) as Answer
    },
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}
