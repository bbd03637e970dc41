import { ConfigurationError } from '@capstan/harness'
import type { Integrations } from '@capstan/harness/integrations'
import type { TriggerSourceKind } from '@capstan/protocol'

/** Throws a `ConfigurationError` unless it is a connection of this user, to an app that can report what the source needs. */
export type CheckConnection = (userId: string, kind: TriggerSourceKind, connectionId: string) => Promise<void>

export const createConnectionCheck =
  ({
    connections,
    syncSource,
    watch,
  }: Pick<Integrations, 'connections' | 'syncSource' | 'watch'>): CheckConnection =>
  async (userId, kind, connectionId) => {
    const connection = await connections.get(userId, connectionId)
    const refuse = (why: string): never => {
      throw new ConfigurationError('connectionId', why)
    }
    if (!connection || connection.status === 'disconnected') return refuse('is no connection of yours')
    if (kind === 'sync' && !syncSource(connection)) refuse('belongs to an app that cannot be synced')
    if (kind === 'resource' && !watch(connection)) refuse('belongs to an app that does not tell of changes')
  }
