import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import { RefusedUrl } from '../transports/guarded-fetch.ts'
import { causesOf } from '../errors.ts'

const BAD_CREDENTIALS = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_token',
  'invalid_request',
])

/** Why a sign-in came to nothing, in plain words of ours: nothing a service wrote is repeated. Pure. */
export function explainSignInError(error: unknown): string {
  for (const cause of causesOf(error)) {
    const reason = explain(cause)
    if (reason !== undefined) return reason
  }
  return 'The sign-in service is not available: it could not be reached or did not answer as it should. Try again later.'
}

function explain(error: unknown): string | undefined {
  if (error instanceof OAuthError) return explainCode(error.code)
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return 'The answer came from another sign-in service than the one that was asked. Nothing was connected.'
  }
  if (error instanceof RegistrationRejectedError) {
    return 'The sign-in service did not accept this program. An administrator of the service has to register it.'
  }
  if (error instanceof RefusedUrl || error instanceof InsecureTokenEndpointError) {
    return 'The server named an address for the sign-in that is not safe to visit. Nothing was connected.'
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'The sign-in service timed out: it took too long to answer. Try again later.'
  }
  return undefined
}

function explainCode(code: string): string | undefined {
  if (code === 'access_denied') return 'The request was denied by the user. Nothing was connected.'
  if (code === 'insufficient_scope' || code === 'invalid_scope') {
    return 'Insufficient scope: the service granted less than the app needs. Sign in again and allow everything that is asked for.'
  }
  if (code === 'invalid_target') {
    return 'The server says that it is another server than the one that was added. Nothing was connected.'
  }
  if (BAD_CREDENTIALS.has(code)) return 'The service did not accept the sign-in as valid. Sign in again.'
  return undefined // server_error, temporarily_unavailable and what else they invent
}
