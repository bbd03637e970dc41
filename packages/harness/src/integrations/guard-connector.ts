import type { ConnectionRow } from '@capstan/protocol'
import type { Connector } from '../ports/connector.ts'
import type { AppWatch } from '../ports/app-watch.ts'
import type { SyncSource } from '../ports/sync-source.ts'
import { fail } from '../turn/tool/tool-outcome.ts'

/** Whether an app exists for a user. Asked at every use, so that a change holds at once. */
export type CanUse = (userId: string, toolkit: string) => boolean

type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Asked at every page, because a sync takes long. */
function guardSource(source: SyncSource, guard: Guard): SyncSource {
  return {
    kind: source.kind,
    isNewestFirst: source.isNewestFirst === true,
    ...(source.key !== undefined && { key: source.key }),
    page: (cursor, signal) => guard(() => source.page(cursor, signal)),
    ...(source.expect && { expect: (signal) => guard(() => source.expect!(signal)) }),
    ...(source.read && { read: (entry, signal) => guard(() => source.read!(entry, signal)) }),
  }
}

/** Asked at every change, because listening takes long. */
const guardWatch =
  (watch: AppWatch, guard: Guard): AppWatch =>
  (report, signal) =>
    guard(() => watch((change) => guard(() => report(change)), signal))

/**
 * A connector that does nothing for a connection whose user may not use the app, whoever asks: a turn that is running, a
 * sub-agent or a sign-in. The app then looks as if it did not exist.
 */
export function guardConnector(connector: Connector, canUse: CanUse): Connector {
  const isAllowed = ({ userId, toolkit }: ConnectionRow): boolean => canUse(userId, toolkit)

  async function guard<Result>(connection: ConnectionRow, work: () => Promise<Result>): Promise<Result> {
    if (!isAllowed(connection)) throw new Error(`there is no app "${connection.toolkit}"`)
    return work()
  }

  return {
    id: connector.id,
    toolkits: () => connector.toolkits(),
    beginSignIn: (connection, signIn) => guard(connection, () => connector.beginSignIn(connection, signIn)),
    finishSignIn: (connection, callback) =>
      guard(connection, () => connector.finishSignIn(connection, callback)),
    check: (connection, signal) => guard(connection, () => connector.check(connection, signal)),
    ...(connector.adopt
      ? {
          adopt: (connection, others, signal) =>
            guard(connection, () => connector.adopt!(connection, others, signal)),
        }
      : undefined),
    actions: (connection, signal) => guard(connection, () => connector.actions(connection, signal)),
    execute: async (connection, action, args, call) =>
      isAllowed(connection)
        ? connector.execute(connection, action, args, call)
        : fail(`There is no app "${connection.toolkit}".`, { errorCode: 'not_found' }),
    ...(connector.syncSource
      ? {
          syncSource: (connection) => {
            const source = isAllowed(connection) ? connector.syncSource!(connection) : undefined
            return source && guardSource(source, (work) => guard(connection, work))
          },
        }
      : undefined),
    ...(connector.watch
      ? {
          watch: (connection) => {
            const watch = isAllowed(connection) ? connector.watch!(connection) : undefined
            return watch && guardWatch(watch, (work) => guard(connection, work))
          },
        }
      : undefined),
    disconnect: (connection) => connector.disconnect(connection),
    ...(connector.release ? { release: (connection) => connector.release!(connection) } : undefined),
    onChange: (listener) => connector.onChange(listener),
    close: () => connector.close(),
  }
}
