// The contracts of stores and connectors, as Vitest suites.
export { testStore } from './store-suite.ts'
export type { StoreSuiteOptions } from './store-suite.ts'
export { testConnector } from './connector-suite.ts'
export type { ConnectorUnderTest, ExampleCall } from './connector-suite/connector-under-test.ts'
export { testConnectionStore } from './connection-store-suite.ts'
export type { ConnectionStoreSuiteOptions } from './connection-store-suite.ts'
export { testArtifactStore } from './artifact-store-suite.ts'
export { testLocks } from './locks-suite.ts'
