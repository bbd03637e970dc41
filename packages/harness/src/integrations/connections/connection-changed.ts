import type { ConnectionRow } from '@capstan/protocol'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Directory } from '../directory/directory.ts'

/**
 * A connection has come, gone or changed, whoever did it. The directory knows before anybody is told, so that whoever
 * hears the news finds it there.
 */
export async function connectionChanged(
  connection: ConnectionRow,
  { directory, publish }: { readonly directory: Directory; readonly publish: EventBus['publish'] },
): Promise<void> {
  directory.invalidate(connection.userId)
  await directory.warm(connection.userId)
  publish({ type: 'connections-changed', userId: connection.userId, connection })
}
