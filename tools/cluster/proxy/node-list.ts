import { get } from 'node:http'

/** A node that requests can be sent to. */
export interface ProxyNode {
  readonly name: string
  readonly host: string
  readonly port: number
}

/** Which nodes answer, and whose turn it is. */
export interface NodeList {
  /** Counts as one that answers. */
  add(node: ProxyNode): void
  /** The nodes in the order in which a request should try them: those that answer first, each request another one. */
  order(): readonly ProxyNode[]
  /** A node that did not take a connection. It is tried last until it answers again. */
  markDown(node: ProxyNode): void
  /** Looks at every node now. Never throws. */
  check(): Promise<void>
  isUp(node: ProxyNode): boolean
  /** Ends the checks. */
  close(): void
}

interface NodeListOptions {
  readonly healthPath?: string
  readonly checkEveryMs?: number
  /** A node came or went. */
  readonly onChange?: (node: ProxyNode, isUp: boolean) => void
}

const CHECK_TIMEOUT_MS = 2_000

export function createNodeList(options: NodeListOptions = {}): NodeList {
  const { healthPath = '/api/health', checkEveryMs = 1_000, onChange } = options
  const nodes: ProxyNode[] = []
  const down = new Set<ProxyNode>()
  let next = 0

  const set = (node: ProxyNode, isUp: boolean): void => {
    if (isUp !== down.has(node)) return
    if (isUp) down.delete(node)
    else down.add(node)
    onChange?.(node, isUp)
  }
  const check = async (): Promise<void> => {
    await Promise.all(nodes.map(async (node) => set(node, await answers(node, healthPath))))
  }
  const timer = setInterval(() => void check(), checkEveryMs)

  return {
    add: (node) => void nodes.push(node),
    check,
    markDown: (node) => set(node, false),
    isUp: (node) => !down.has(node),
    close: () => clearInterval(timer),
    order() {
      const turned = nodes.map((_, n) => nodes[(next + n) % nodes.length]!)
      next = (next + 1) % Math.max(1, nodes.length)
      return [...turned.filter((node) => !down.has(node)), ...turned.filter((node) => down.has(node))]
    },
  }
}

/** Whether a node takes requests. One whose disk is full still answers what it has stored. */
function answers({ host, port }: ProxyNode, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host, port, path, agent: false, timeout: CHECK_TIMEOUT_MS }, (response) => {
      response.resume()
      resolve((response.statusCode ?? 500) < 500)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
