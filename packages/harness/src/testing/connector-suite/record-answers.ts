import { inspect } from 'node:util'
import type { Connector } from '../../ports/connector.ts'

/** A connector whose answers are recorded. */
export interface RecordedConnector {
  readonly connector: Connector
  /** Everything it returned and threw, as a verbose log would print it. */
  answers(): string
}

/** The same connector; what it returns and throws is recorded. */
export function recordAnswers(inner: Connector): RecordedConnector {
  const seen: unknown[] = [inner.id]
  const witness = async <Answer>(asked: () => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await asked()
      seen.push(answer)
      return answer
    } catch (error) {
      seen.push(error)
      throw error
    }
  }
  return {
    connector: {
      id: inner.id,
      toolkits: () => witness(async () => inner.toolkits()),
      beginSignIn: (connection, signIn) => witness(async () => inner.beginSignIn(connection, signIn)),
      finishSignIn: (connection, callback) => witness(async () => inner.finishSignIn(connection, callback)),
      check: (connection, signal) => witness(async () => inner.check(connection, signal)),
      actions: (connection, signal) => witness(async () => inner.actions(connection, signal)),
      execute: (connection, action, args, call) =>
        witness(async () => inner.execute(connection, action, args, call)),
      disconnect: (connection) => witness(async () => inner.disconnect(connection)),
      onChange: (listener) =>
        inner.onChange((change) => {
          seen.push(change)
          listener(change)
        }),
      close: () => witness(async () => inner.close()),
    },
    answers: () =>
      seen
        .map((answer) =>
          inspect(answer, { depth: 12, maxArrayLength: null, maxStringLength: null, showHidden: true }),
        )
        .join('\n'),
  }
}
