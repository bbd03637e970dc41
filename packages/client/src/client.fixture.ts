import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelClient } from '@capstan/harness'
import type { AssistantOptions, RunningServer } from '@capstan/server'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import { onTestFinished } from 'vitest'
import type { Client } from './create-client.ts'
import { createClient } from './create-client.ts'

/** A whole server on a data folder, as a program starts it. */
export interface StartedServer extends RunningServer {
  readonly token: string
  readonly folder: string
  /** The cookie of a browser that has logged in as a user. */
  logIn(userId?: string): Promise<string>
}

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface StartOptions extends Partial<AssistantOptions> {
  readonly model: ModelClient
  readonly port?: number
}

/** Starts on a free port, or again on the one it had. */
export async function start({ port = 0, ...options }: StartOptions): Promise<StartedServer> {
  const folder = options.folder ?? (await createFolder())
  const assistant = await createAssistant({
    env: { OLLAMA_HOST: '127.0.0.1:9' },
    onProblem: () => {},
    ...options,
    folder,
  })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  return {
    ...server,
    token: auth.token,
    folder,
    async logIn(userId) {
      const answer = await fetch(`${server.url}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: server.url },
        body: new URLSearchParams({ ticket: auth.mintTicket(userId) }),
      })
      return answer.headers.getSetCookie()[0]!.split(';')[0]!
    },
  }
}

/** A server in a process of its own. `kill` leaves it no time to say goodbye. */
export async function startProcess(
  folder: string,
  port = 0,
): Promise<{ readonly url: string; readonly port: number; readonly token: string; kill(): Promise<void> }> {
  const script = new URL('./server-process.fixture.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { ...(JSON.parse(line.toString()) as { url: string; port: number; token: string }), kill }
}

/** Connected with the install token; closed when the test is over. */
export function connect(url: string, token: string): Client {
  const client = createClient({ url, token })
  onTestFinished(() => client.close())
  return client
}

/** A proxy in front of a server that lets requests through, and no sockets. */
export async function startProxyWithoutSockets(target: string): Promise<string> {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.url?.startsWith('/socket.io')) {
      outgoing.writeHead(403).end()
      return
    }
    const { method = 'GET', headers } = incoming
    const onward = request(new URL(incoming.url ?? '/', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
  const proxy = createServer(forward)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
