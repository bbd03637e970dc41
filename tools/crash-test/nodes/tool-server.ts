import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { TOOLS } from '../scenario.ts'
import type { Effect } from '../services.ts'
import { noteEffect, think } from '../services.ts'

/** What the tools of all nodes act on. It outlives every node, and sees which of them asked. */
export interface ToolServer {
  readonly url: string
  /** Settles when every call was worked off, then stops. */
  stop(): Promise<void>
}

export async function startToolServer(effects: string, onEffect: () => void): Promise<ToolServer> {
  const paid = new Set<string>()
  const working = new Set<Promise<void>>()

  async function act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const effect = { ...((await json(request)) as Effect), at: Date.now() }
    const { tool, tag, key } = effect
    await think(tag)
    const isRepeat = tool === TOOLS.keyed && paid.has(key)
    if (!isRepeat) {
      paid.add(key)
      noteEffect(effects, effect)
      onEffect()
    }
    await think(`${tag} done`)
    response.end(`${tool} ${tag} ${isRepeat ? 'was done before' : 'is done'}`)
  }
  const http = createServer((request, response) => {
    const work = act(request, response).catch(() => void response.destroy())
    working.add(work)
    void work.finally(() => working.delete(work))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      while (working.size > 0) await Promise.all(working)
      http.closeAllConnections()
      http.close()
    },
  }
}
