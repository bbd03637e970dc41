import { UNCONFINED } from '@capstan/harness/sandbox'
import { createMemoryConnectionStore } from '@capstan/harness/stores'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import type { McpConnector, McpConnectorOptions, McpProblem } from '../mcp-connector.ts'
import { createMcpConnector } from '../mcp-connector.ts'
import type { McpServerConfig } from '../servers/server-config.ts'

/** A connector with an empty vault, and what it reports. */
export interface McpWorld {
  readonly connector: McpConnector
  readonly vault: SecretVault
  readonly problems: readonly McpProblem[]
}

export function createMcpWorld(
  servers: readonly McpServerConfig[],
  options: Partial<McpConnectorOptions> = {},
): McpWorld {
  const { vault } = createMemoryConnectionStore()
  const problems: McpProblem[] = []
  const connector = createMcpConnector({
    servers,
    vault,
    sandbox: UNCONFINED,
    onProblem: (problem) => problems.push(problem),
    ...options,
  })
  return { connector, vault, problems }
}

export const connectionTo = (toolkit: string, id = `connection_${toolkit}`): ConnectionRow => ({
  id,
  userId: 'user_1',
  connector: 'mcp',
  toolkit,
  status: 'active',
  label: '',
  isDefault: true,
  createdAt: 0,
  updatedAt: 0,
})

export const call = (signal: AbortSignal = new AbortController().signal) => ({
  signal,
  idempotencyKey: 'run_1/call_1',
})
