import { ApiError } from './api-error.ts'
import { readBody } from './sender.ts'

/** How many characters of one event are kept. The largest event of our server is far below. */
const MAX_EVENT_LENGTH = 8 * 2 ** 20

/**
 * The `data` of each server-sent event. Ends with the stream; leaving early cancels it. Throws an `ApiError` when the
 * stream breaks off, or when an event does not end within 8 MB.
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let dataLength = 0
  try {
    for (;;) {
      const { done, value } = await readBody(() => reader.read(), signal)
      if (done) return
      const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n')
      const lines = [rest + first, ...others]
      rest = lines.pop() ?? ''
      for (const raw of lines) {
        const line = raw.replace(/\r$/, '')
        if (line.startsWith('data:')) {
          data.push(line.slice(5).replace(/^ /, ''))
          dataLength += raw.length
          refuseOversized(dataLength)
        } else if (line === '' && data.length > 0) {
          yield data.join('\n')
          data = []
          dataLength = 0
        }
      }
      refuseOversized(dataLength + rest.length)
    }
  } finally {
    // Not awaited: a connection that hangs must not keep the reader.
    void reader.cancel().catch(() => undefined)
  }
}

function refuseOversized(length: number): void {
  if (length <= MAX_EVENT_LENGTH) return
  throw new ApiError({ code: 'unavailable', message: 'An event of the stream is larger than 8 MB.' })
}
