export { createLocalConnector } from './local/local-connector.ts'
export type { LocalConnector, LocalConnectorOptions } from './local/local-connector.ts'
export { defineAction } from './local/local-toolkit.ts'
export type { KeyVerdict, LocalAction, LocalContext, LocalToolkit } from './local/local-toolkit.ts'
