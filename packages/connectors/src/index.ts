export { createLocalConnector } from './local/local-connector.ts'
export type { LocalConnector, LocalConnectorOptions } from './local/local-connector.ts'
export { defineAction } from './local/local-toolkit.ts'
export type {
  KeyVerdict,
  LocalAccount,
  LocalAction,
  LocalContext,
  LocalToolkit,
} from './local/local-toolkit.ts'
export { createMcpConnector } from './mcp/mcp-connector.ts'
export type { McpConnector, McpConnectorOptions, McpProblem } from './mcp/mcp-connector.ts'
export type { McpServerSummary } from './mcp/servers/describe-server.ts'
export { checkMapping } from './sync/check-mapping.ts'
export type { HttpServer, McpServerConfig, StdioServer } from './mcp/servers/server-config.ts'
export { createComposioConnector } from './composio/composio-connector.ts'
export type { ComposioConnector, ComposioConnectorOptions } from './composio/composio-connector.ts'
export type { ComposioTrigger, TriggerDelivery } from './composio/trigger.ts'
