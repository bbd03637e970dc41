// Live apps: the directory of toolkits, connections and sign-ins, and the agent that works in one app.
export type { ToolkitMode } from '../integrations/agent/integrations-agent.ts'
export type { Connections } from '../integrations/connections/connections.ts'
export type { CallbackAnswer, SignInAnswer, Visitor } from '../integrations/connections/sign-in-flow.ts'
export type { Directory } from '../integrations/directory/directory.ts'
export type { Arrival, DirectorySnapshot, ListedToolkit } from '../integrations/directory/snapshot.ts'
export { createIntegrations } from '../integrations/integrations.ts'
export type { Integrations, IntegrationsOptions, UserApps } from '../integrations/integrations.ts'
export type { AppActions, ChoiceReceipt, ListedActions } from '../integrations/list-actions.ts'
export type { IntegrationsCounts, RefreshFailure } from '../integrations/refresh-counts.ts'
export type {
  BusEvent,
  ConnectionsChanged,
  EventBus,
  ScopesChanged,
  ToolkitsChanged,
} from '../ports/event-bus.ts'
export { createMemoryEventBus } from '../ports/memory/memory-event-bus.ts'
