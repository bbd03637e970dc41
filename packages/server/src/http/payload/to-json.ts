import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const MIN_COMPRESSED_CHARS = 2_000
const toGzip = promisify(gzip)

/** A JSON answer, compressed when it is long and the client accepts gzip. */
export function toJson(answer: unknown, status: number, accepted: string | undefined): Promise<Response> {
  return toJsonText(JSON.stringify(answer), status, accepted)
}

/** The same for text that is JSON already. */
export async function toJsonText(text: string, status: number, accepted = ''): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', vary: 'accept-encoding' })
  if (text.length < MIN_COMPRESSED_CHARS || !/\bgzip\b/.test(accepted))
    return new Response(text, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(await toGzip(text, { level: 4 }), { status, headers })
}
