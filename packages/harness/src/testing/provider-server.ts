import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The server's answer to one request: chunks in order, and how it ends. */
export interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly (string | Uint8Array)[]
  readonly ending: 'end' | 'cut' | 'stall'
}

/** A running provider server. Dispose it to stop it. */
export interface ProviderServer {
  /** The origin, without a path or a trailing slash. */
  readonly url: string
  readonly requests: readonly ProviderRequest[]
  /** The number of TCP connections opened so far. */
  readonly connections: number
  /** Settles when a client disconnects in the middle of an answer. */
  readonly abandoned: Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A request the server received. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

/** Starts a model provider on the loopback interface. It answers each request with the next answer and records requests. */
export async function startProviderServer(...answers: readonly ProviderAnswer[]): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandon()
    })
    void readBody(request).then((body) => {
      const answer = answers[requests.length] ?? failsWith(500, { error: { message: 'The script ran out' } })
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      return play(answer, response)
    })
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    abandoned,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The content of a provider's reply, independent of its format. */
export interface ProviderReply {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly args: string }[]
  readonly usage?: {
    readonly input?: number
    readonly cached?: number
    readonly cacheWrite?: number
    readonly output?: number
    readonly reasoning?: number
    readonly cost?: number
  }
}

/** A reply in the streaming format of OpenAI's chat completions: parallel calls interleaved, usage in its own chunk. */
export function chatReply({ reasoning, text, calls = [], usage = {} }: ProviderReply): ProviderAnswer {
  const frames = [chatChunk({ role: 'assistant', content: '' })]
  for (const piece of pieces(reasoning)) frames.push(chatChunk({ reasoning_content: piece }))
  for (const piece of pieces(text)) frames.push(chatChunk({ content: piece }))
  for (const [index, { id, tool }] of calls.entries()) {
    frames.push(
      chatChunk({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] }),
    )
  }
  for (const half of [0, 1]) {
    for (const [index, { args }] of calls.entries()) {
      frames.push(chatChunk({ tool_calls: [{ index, function: { arguments: halves(args)[half] } }] }))
    }
  }
  frames.push(chatChunk({}, calls.length > 0 ? 'tool_calls' : 'stop'))
  const { input = 20, cached = 0, output = 8, reasoning: thought = 0, cost } = usage
  frames.push(
    chatFrame({
      choices: [],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: thought },
        cost,
      },
    }),
    'data: [DONE]\n\n',
  )
  return streams(frames)
}

/** A reply in the streaming format of Anthropic's messages: thinking ends with its signature. */
export function messagesReply(reply: ProviderReply & { readonly signature?: string }): ProviderAnswer {
  const { reasoning, signature = 'sig', text, calls = [], usage = {} } = reply
  const { input = 20, cached = 0, cacheWrite = 0, output = 8, reasoning: thought } = usage
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
  }
  const frames = [
    event('message_start', {
      message: {
        ...message,
        usage: {
          input_tokens: input - cached - cacheWrite,
          output_tokens: 1,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: cacheWrite,
        },
      },
    }),
    event('ping', {}),
  ]
  let index = 0
  const block = (content: object, deltas: readonly object[]): void => {
    frames.push(event('content_block_start', { index, content_block: content }))
    for (const delta of deltas) frames.push(event('content_block_delta', { index, delta }))
    frames.push(event('content_block_stop', { index }))
    index++
  }
  if (reasoning !== undefined) {
    const thoughts = pieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
    block({ type: 'thinking', thinking: '' }, [...thoughts, { type: 'signature_delta', signature }])
  }
  if (text !== undefined) {
    block(
      { type: 'text', text: '' },
      pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
    )
  }
  for (const { id, tool, args } of calls) {
    const deltas = halves(args).map((half) => ({ type: 'input_json_delta', partial_json: half }))
    block({ type: 'tool_use', id, name: tool, input: {} }, deltas)
  }
  frames.push(
    event('message_delta', {
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: output, output_tokens_details: thought && { thinking_tokens: thought } },
    }),
    event('message_stop', {}),
  )
  return streams(frames)
}

/** An error answer as JSON. */
export function failsWith(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ProviderAnswer {
  const type = { 'content-type': 'application/json' }
  return { status, headers: { ...type, ...headers }, chunks: [JSON.stringify(body)], ending: 'end' }
}

/** An HTML page, as a proxy sends it instead of the provider. */
export function webPage(status: number): ProviderAnswer {
  const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>Sorry</h1></body></html>'
  return { status, headers: { 'content-type': 'text/html' }, chunks: [page], ending: 'end' }
}

/** Destroys the socket after the first frame that contains the marker. */
export const cutAfter = (answer: ProviderAnswer, marker: string): ProviderAnswer =>
  stop(answer, marker, 'cut')
/** Ends the body normally after the first frame that contains the marker. */
export const endAfter = (answer: ProviderAnswer, marker: string): ProviderAnswer =>
  stop(answer, marker, 'end')
/** Sends nothing more after the first frame that contains the marker. */
export const stallAfter = (answer: ProviderAnswer, marker: string): ProviderAnswer =>
  stop(answer, marker, 'stall')

/** Inserts a frame after the first one that contains the marker. */
export function insertAfter(answer: ProviderAnswer, marker: string, frame: string): ProviderAnswer {
  const at = indexOf(answer, marker) + 1
  return { ...answer, chunks: answer.chunks.toSpliced(at, 0, frame) }
}

/** Sends the bytes one by one, so that characters are split. */
export function byteByByte(answer: ProviderAnswer): ProviderAnswer {
  const bytes = Buffer.concat(answer.chunks.map((chunk) => Buffer.from(chunk)))
  return { ...answer, chunks: Array.from(bytes, (byte) => Uint8Array.of(byte)) }
}

function stop(answer: ProviderAnswer, marker: string, ending: ProviderAnswer['ending']): ProviderAnswer {
  return { ...answer, chunks: answer.chunks.slice(0, indexOf(answer, marker) + 1), ending }
}

function indexOf({ chunks }: ProviderAnswer, marker: string): number {
  const at = chunks.findIndex((chunk) => typeof chunk === 'string' && chunk.includes(marker))
  if (at === -1) throw new Error(`No frame contains ${marker}`)
  return at
}

function streams(chunks: readonly string[]): ProviderAnswer {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks, ending: 'end' }
}

const chatChunk = (delta: object, finish: string | null = null): string =>
  chatFrame({ choices: [{ index: 0, delta, finish_reason: finish }] })

const chatFrame = (body: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...body })}\n\n`

const event = (type: string, body: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`

function pieces(text = ''): string[] {
  return text.match(/.{1,6}/gsu) ?? []
}

function halves(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

async function readBody(request: IncomingMessage): Promise<ProviderRequest['body']> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

async function play(
  { status, headers, chunks, ending }: ProviderAnswer,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, headers)
  response.flushHeaders()
  for (const chunk of chunks) {
    if (response.destroyed) return
    await new Promise((sent) => response.write(chunk, sent))
    // Sends each chunk separately, as a real network may.
    await new Promise((later) => setImmediate(later))
  }
  if (ending === 'end') response.end()
  if (ending === 'cut') response.destroy()
}
