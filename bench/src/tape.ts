import type { CanonicalRequest } from './canonical-request.ts'
import type { Script, ScriptedReply } from './script.ts'

/**
 * The record of one conversation. During a measurement it keeps only counters and the newest request, so that it adds no
 * cost to subjects that build a new request for every iteration.
 */
export interface Tape {
  /** Called by the fake model once per request. `read` turns the request into the form all subjects share. */
  nextReply<Request>(request: Request, read: (request: Request) => CanonicalRequest): ScriptedReply
  /** Waited for in each model call, when it is there. */
  readonly pause: (() => Promise<void>) | undefined
}

export interface RecordingTape extends Tape {
  readonly modelCalls: number
  /** The newest request, or none. */
  lastRequest(): CanonicalRequest | undefined
  /** Every request in order; empty unless all are kept. */
  readonly requests: readonly CanonicalRequest[]
}

export function createTape(
  script: Script,
  keep: 'newest' | 'all',
  pause?: () => Promise<void>,
): RecordingTape {
  let modelCalls = 0
  let newest: (() => CanonicalRequest) | undefined
  const requests: CanonicalRequest[] = []
  return {
    pause,
    nextReply(request, read) {
      const reply = script.replies[modelCalls++]
      if (!reply) throw new Error(`The script has only ${script.replies.length} replies`)
      if (keep === 'all') requests.push(read(request))
      newest = () => read(request)
      return reply
    },
    get modelCalls() {
      return modelCalls
    },
    lastRequest: () => newest?.(),
    requests,
  }
}
