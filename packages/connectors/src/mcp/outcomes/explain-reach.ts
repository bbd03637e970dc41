import type { NetworkFault } from '@capstan/harness/connectors'
import { networkFaultOf } from '@capstan/harness/connectors'
import type { ConnectionReasonCode } from '@capstan/protocol'
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { causesOf } from '../errors.ts'

/** Why a server was not reached, for people and for programs. */
export interface ReachProblem {
  readonly reason: string
  readonly reasonCode: ConnectionReasonCode
}

const FAULTS: Readonly<Record<NetworkFault, ReachProblem>> = {
  silent: {
    reason:
      'Nothing answers at the address of the server. Check that it is running, and the host and the port.',
    reasonCode: 'unreachable',
  },
  'unknown-host': {
    reason: 'The name of the server is not known on the network. Check how its address is spelt.',
    reasonCode: 'unknown-host',
  },
  insecure: {
    reason:
      'No secure connection to the server: its certificate is not accepted, or it speaks no TLS at this port.',
    reasonCode: 'insecure',
  },
  slow: { reason: 'The server did not answer in time. Try again later.', reasonCode: 'timeout' },
}
const PAGE: ReachProblem = {
  reason: 'A web page answers at this address, and no MCP server. Check the path: it often ends in /mcp.',
  reasonCode: 'not-mcp',
}
const NOTHING_THERE: ReachProblem = {
  reason: 'There is no MCP server at this address. Check the path: it often ends in /mcp.',
  reasonCode: 'not-mcp',
}

/** Why an HTTP server was not reached, in a sentence of ours. Undefined when it was, or when nothing says why. Pure. */
export function explainReach(error: unknown): ReachProblem | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof SdkHttpError)
      return [404, 405].includes(cause.data.status) ? NOTHING_THERE : undefined
    const problem = cause instanceof SdkError ? explainLibrary(cause) : undefined
    if (problem) return problem
  }
  const fault = networkFaultOf(error)
  return fault && FAULTS[fault]
}

function explainLibrary({ code, data }: SdkError): ReachProblem | undefined {
  if (code === SdkErrorCode.RequestTimeout) return FAULTS.slow
  if (code !== SdkErrorCode.ClientHttpUnexpectedContent) return undefined
  const { contentType } = data as { readonly contentType?: unknown }
  return typeof contentType === 'string' && contentType.includes('html') ? PAGE : NOTHING_THERE
}
