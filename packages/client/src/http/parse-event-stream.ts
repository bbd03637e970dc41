import { readBody } from './sender.ts'

/**
 * The `data` of each server-sent event. Ends with the stream, or throws an `ApiError` when it breaks off; leaving early
 * cancels it.
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await readBody(() => reader.read(), signal)
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const raw of lines) {
        const line = raw.replace(/\r$/, '')
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
        else if (line === '' && data.length > 0) {
          yield data.join('\n')
          data = []
        }
      }
    }
  } finally {
    // Not awaited: a connection that hangs must not keep the reader.
    void reader.cancel().catch(() => undefined)
  }
}
