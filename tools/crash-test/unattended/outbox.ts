import type { Random } from '../random.ts'
import type { Occurrence } from './send-hook.ts'
import { sendHook } from './send-hook.ts'

/** What services report: each occurrence until it was accepted, as services do. */
export interface Outbox {
  /** Sends an occurrence, and again after a start until it is accepted. */
  add(occurrence: Occurrence, copies: number): void
  /** A server can be reached there from now on; undefined: none can. */
  reach(urlOf: ((occurrence: Occurrence) => string) | undefined): void
  /** Sends again what is not accepted. */
  sendLeft(): void
  /** Settles when everything that can be sent was answered. */
  idle(): Promise<void>
  /** How many are not accepted yet. */
  readonly left: number
  readonly accepted: ReadonlyMap<number, Occurrence>
  /** Answers that are neither an acceptance nor a way to say "again later". */
  readonly refused: readonly string[]
  onHook: (when: 'sent' | 'answered') => void
}

/** Answers after which a service tries again. */
const AGAIN = new Set([429, 500, 502, 503, 504])

export function createOutbox(random: Random): Outbox {
  const open = new Map<number, Occurrence>()
  const accepted = new Map<number, Occurrence>()
  const refused: string[] = []
  const sending = new Set<Promise<void>>()
  let urlOf: ((occurrence: Occurrence) => string) | undefined

  async function send(occurrence: Occurrence): Promise<void> {
    if (!urlOf) return
    const answer = sendHook(urlOf(occurrence), occurrence, Date.now())
    if (random.chance(0.5)) setTimeout(() => outbox.onHook('sent'), random.int(0, 6))
    else outbox.onHook('sent')
    const status = await answer
    if (status === 200 || status === 202) {
      accepted.set(occurrence.n, occurrence)
      open.delete(occurrence.n)
      outbox.onHook('answered')
    } else if (status !== undefined && !AGAIN.has(status)) {
      refused.push(`hook ${occurrence.n} of ${occurrence.kind} was answered with ${status}`)
    }
  }

  function begin(occurrence: Occurrence): void {
    const work = send(occurrence)
    sending.add(work)
    void work.finally(() => sending.delete(work))
  }

  const outbox: Outbox = {
    add(occurrence, copies) {
      if (!accepted.has(occurrence.n)) open.set(occurrence.n, occurrence)
      for (let n = 0; n < copies; n++) begin(occurrence)
    },
    reach(next) {
      urlOf = next
      outbox.sendLeft()
    },
    sendLeft() {
      for (const occurrence of open.values()) begin(occurrence)
    },
    async idle() {
      while (sending.size > 0) await Promise.all(sending)
    },
    get left() {
      return open.size
    },
    accepted,
    refused,
    onHook: () => {},
  }
  return outbox
}
