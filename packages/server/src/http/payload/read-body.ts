import { ApiError } from '../api-error.ts'

/** The bytes of the body. Stops reading at the limit. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new ApiError('too_large', `The body must be at most ${toSize(maxBytes)}.`)
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid', 'The body breaks off.') // the client disconnected
  }
  return Buffer.concat(chunks)
}

/** The body as JSON; `{}` when there is none. Stops reading at the limit. */
export async function readBody(request: Request, maxBytes: number): Promise<unknown> {
  const body = await readBytes(request, maxBytes)
  if (body.length === 0) return {}
  // A form of another site can send other types without a CORS preflight, but not this one.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ApiError('invalid', 'content-type: must be application/json', {
      field: 'content-type',
      status: 415,
    })
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new ApiError('invalid', 'The body is not JSON.')
  }
}

const toSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${Math.round(bytes / 1024 / 1024)} MB`
