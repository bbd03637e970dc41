import type { Connector } from '../ports/connector.ts'
import type { Clock } from '../turn/clock.ts'
import { holdProcess } from '../turn/hold-process.ts'

/** How long a service has for one answer. */
const ANSWER_TIMEOUT_MS = 15_000
/** So many times longer may a catalogue of many pages take, or a sign-in that installs a program first. */
const LONG_ANSWER = 8

/** What the deadlines of a connector are made of. */
export interface TimedOptions {
  readonly clock: Clock
  /** Default 15 seconds. */
  readonly answerTimeoutMs?: number | undefined
}

/**
 * A connector whose every call ends: one that has not answered in time rejects with a `TimeoutError`, also when it
 * ignores its signal. Until then it keeps the process alive. Running an action has the deadline of its tool call.
 */
export function timeConnector(
  connector: Connector,
  { clock, answerTimeoutMs = ANSWER_TIMEOUT_MS }: TimedOptions,
): Connector {
  function inTime<Answer>(
    work: (signal: AbortSignal) => Promise<Answer>,
    given?: AbortSignal,
    timeoutMs = answerTimeoutMs,
  ): Promise<Answer> {
    const late = new AbortController()
    const signal = given ? AbortSignal.any([given, late.signal]) : late.signal
    const release = holdProcess()
    const disarm = clock.after(timeoutMs, () =>
      late.abort(new DOMException('the service did not answer in time', 'TimeoutError')),
    )
    return untilAborted(work, signal).finally(() => {
      disarm()
      release()
    })
  }

  const inLongTime = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    inTime(work, undefined, answerTimeoutMs * LONG_ANSWER)

  return {
    id: connector.id,
    toolkits: () => inLongTime(() => connector.toolkits()),
    beginSignIn: (connection, signIn) => inLongTime(() => connector.beginSignIn(connection, signIn)),
    finishSignIn: (connection, callback) => inLongTime(() => connector.finishSignIn(connection, callback)),
    check: (connection, given) => inTime((signal) => connector.check(connection, signal), given),
    ...(connector.adopt
      ? {
          adopt: (connection, others, given) =>
            inTime((signal) => connector.adopt!(connection, others, signal), given),
        }
      : undefined),
    actions: (connection, given) => inTime((signal) => connector.actions(connection, signal), given),
    ...(connector.instructions
      ? { instructions: (connection) => connector.instructions!(connection) }
      : undefined),
    execute: (connection, action, args, call) => connector.execute(connection, action, args, call),
    ...(connector.watch ? { watch: (connection) => connector.watch!(connection) } : undefined),
    ...(connector.syncSource ? { syncSource: (connection) => connector.syncSource!(connection) } : undefined),
    disconnect: (connection) => inTime(() => connector.disconnect(connection)).catch(ignoreLate),
    ...(connector.release
      ? { release: (connection) => inTime(() => connector.release!(connection)).catch(ignoreLate) }
      : undefined),
    onChange: (listener) => connector.onChange(listener),
    close: () => inTime(() => connector.close()).catch(ignoreLate),
  }
}

/** What ends a connection has nothing to say when the service is silent. */
function ignoreLate(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error
}

function untilAborted<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    Promise.resolve()
      .then(() => work(signal))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
