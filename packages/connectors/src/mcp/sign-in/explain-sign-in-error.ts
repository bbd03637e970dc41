import type { ConnectionReasonCode } from '@capstan/protocol'
import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import { NoRegistration, causesOf } from '../errors.ts'
import { RefusedUrl } from '../transports/guarded-fetch.ts'

/** Why a sign-in failed, for people and for programs. */
export interface SignInFailure {
  readonly reason: string
  /** Absent: none of the known reasons. */
  readonly reasonCode?: ConnectionReasonCode
}

const REJECTED_CODES = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_token',
  'invalid_request',
])

/** Why a sign-in failed, in words of ours: nothing a service wrote is repeated. Pure. */
export function explainSignInError(error: unknown): SignInFailure {
  for (const cause of causesOf(error)) {
    const failure = explain(cause)
    if (failure) return failure
  }
  return {
    reason:
      'The sign-in service is not available: it could not be reached or did not answer as it should. Try again later.',
    reasonCode: 'unavailable',
  }
}

function explain(error: unknown): SignInFailure | undefined {
  if (error instanceof OAuthError) return explainCode(error.code)
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return {
      reason:
        'The answer came from another sign-in service than the one that was asked. Nothing was connected.',
    }
  }
  if (error instanceof RegistrationRejectedError || error instanceof NoRegistration) {
    return {
      reason:
        'The server asks for a sign-in and does not let this program register for one. Its administrator has to register it.',
      reasonCode: 'no-registration',
    }
  }
  if (error instanceof RefusedUrl || error instanceof InsecureTokenEndpointError) {
    return {
      reason: 'The server named an address for the sign-in that is not safe to visit. Nothing was connected.',
    }
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return {
      reason: 'The sign-in service timed out: it took too long to answer. Try again later.',
      reasonCode: 'unavailable',
    }
  }
  return undefined
}

function explainCode(code: string): SignInFailure | undefined {
  if (code === 'access_denied') {
    return { reason: 'The request was denied by the user. Nothing was connected.', reasonCode: 'declined' }
  }
  if (code === 'insufficient_scope' || code === 'invalid_scope') {
    return {
      reason:
        'Insufficient scope: the service granted less than the app needs. Sign in again and allow everything that is asked for.',
      reasonCode: 'insufficient-scope',
    }
  }
  if (code === 'invalid_target') {
    return {
      reason: 'The server says that it is another server than the one that was added. Nothing was connected.',
    }
  }
  if (REJECTED_CODES.has(code)) {
    return {
      reason: 'The service did not accept the sign-in as valid. Sign in again.',
      reasonCode: 'rejected',
    }
  }
  return undefined // server_error, temporarily_unavailable and codes of their own
}
