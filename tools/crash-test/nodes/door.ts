import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { RunningNode } from './node.ts'

/** An answer of a node, whatever it says. */
interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/** The way of a person to the nodes: any of them takes any request. */
export interface Door {
  /** Sends a request until a node answers it. What is sent again is the same to the last letter. */
  send<Body = unknown>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Answer<Body>>
  /** A node to connect to. Undefined while there is none. */
  pick(): RunningNode | undefined
}

/** The headers of a proxy in front of all nodes. */
export const PROXY_HEADERS = { 'x-forwarded-host': 'capstan.test', 'x-forwarded-proto': 'https' }

/** Somebody who waits longer goes to another node. */
const PATIENCE_MS = 2_500
const GIVES_UP_MS = 30_000
const PAUSE_MS = 40

export function createDoor(nodes: () => readonly RunningNode[], random: Random): Door {
  function pick(): RunningNode | undefined {
    const up = nodes().filter((node) => node.state() === 'up')
    // Nobody can see from outside that a node is frozen.
    const frozen = random.chance(0.1) ? nodes().filter((node) => node.state() === 'frozen') : []
    const all = [...up, ...frozen]
    return all.length === 0 ? undefined : random.pick(all)
  }
  return {
    pick,
    async send<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
      const end = Date.now() + GIVES_UP_MS
      for (let last = 'no node is up'; ; await sleep(PAUSE_MS)) {
        if (Date.now() > end) throw new Error(`${method} ${path}: nobody answered for 30 seconds: ${last}`)
        const node = pick()
        if (!node) continue
        try {
          const answer = await ask(node, method, path, body)
          if (answer.status < 500 && answer.status !== 429) return answer as Answer<Body>
          last = `${node.id}: ${answer.status} ${JSON.stringify(answer.body)}`
        } catch (error) {
          last = `${node.id}: ${String((error as Error).cause ?? error)}`
        }
      }
    },
  }
}

async function ask(node: RunningNode, method: string, path: string, body?: object): Promise<Answer<unknown>> {
  const response = await fetch(`${node.url}${path}`, {
    method,
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'manual',
    headers: {
      ...PROXY_HEADERS,
      authorization: `Bearer ${node.token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}
