import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { causesOf } from '../errors.ts'

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as { code?: unknown }).code as string)

/** The request cannot have reached a server that acted on it. */
export function isUnsent(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      (cause instanceof SdkError && cause.code === SdkErrorCode.NotConnected) ||
      hasCode(cause, 'EPIPE', 'ECONNREFUSED'),
  )
}

/** The server says that it does not know the session. It may have acted before it forgot. */
export const isForgotten = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof SdkHttpError && cause.data.status === 404)

/** The connection broke after the request was sent: whether the server acted on it is unknown. */
export function isLost(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      (cause instanceof SdkError && cause.code === SdkErrorCode.ConnectionClosed) ||
      hasCode(cause, 'ECONNRESET', 'UND_ERR_SOCKET'),
  )
}
