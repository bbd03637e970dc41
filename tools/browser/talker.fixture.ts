import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A model at an address, as many others are. It says words of no meaning at a given pace. */
export interface Talker {
  /** For `--model`. */
  readonly model: string
  close(): Promise<void>
}

export interface TalkerOptions {
  readonly deltas: number
  readonly perSecond: number
}

/** How often a batch of words goes out: a timer for each word would not keep such a pace. */
const BATCH_MS = 20

export async function startTalker({ deltas, perSecond }: TalkerOptions): Promise<Talker> {
  const server = createServer((request, response) => {
    request.resume()
    const isCut = new AbortController()
    response.on('close', () => isCut.abort())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (delta: object, finish: string | null = null): void => {
      const chunk = {
        id: 'talk',
        created: 1,
        model: 'talker',
        choices: [{ index: 0, delta, finish_reason: finish }],
      }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    void talk()

    async function talk(): Promise<void> {
      const begun = performance.now()
      for (let said = 0; said < deltas && !isCut.signal.aborted;) {
        const due = Math.min(deltas, Math.ceil(((performance.now() - begun) / 1000) * perSecond))
        for (; said < due; said++) write({ role: 'assistant', content: wordAt(said) })
        await wait(BATCH_MS)
      }
      write({}, 'stop')
      response.end('data: [DONE]\n\n')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    model: `http://127.0.0.1:${port}/v1#talker`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sentences and paragraphs, so that there is something to lay out. */
function wordAt(index: number): string {
  const end = index % 60 === 59 ? '.\n\n' : index % 12 === 11 ? '. ' : ' '
  return `${['tide', 'pier', 'ferry', 'torch', 'linen', 'harbour', 'light'][index % 7]}${end}`
}
