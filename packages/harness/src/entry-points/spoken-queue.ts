import type { Recorder } from '../seams/observers/recorder.ts'
import type { Clock } from '../turn/clock.ts'
import { RecordingError } from '../turn/errors.ts'
import type { Delivery, Inbox } from '../turn/inbox.ts'
import type { KeptThread } from './kept-thread.ts'

type Mode = 'steer' | 'follow-up'

interface FollowUp {
  readonly id: string
  readonly text: string
  readonly settle: (delivery: Delivery) => void
}

type Kept = Partial<Pick<KeptThread, 'recorder' | 'state'>>

/**
 * What is said while a turn runs. With a store it is written down before anybody is told that it was taken, and stays
 * there until the model has heard it, or whoever said it was told why not.
 */
export interface SpokenQueue {
  readonly hasFollowUps: boolean
  /** What became, or becomes, of what was said under this id. */
  deliveryOf(id: string): Promise<Delivery> | undefined
  /** `kept` is called when it is written down. */
  steer(inbox: Inbox, text: string, id: string, kept?: () => void): Promise<Delivery>
  /** `queued` is called when it stands in the queue, which is later when it has to be written down first. */
  followUp(text: string, id: string, queued: () => void, kept?: () => void): Promise<Delivery>
  /** What was said before a crash, and had not reached the model. Without an inbox all of it follows up. */
  requeue(opened: Kept, inbox: Inbox | undefined): void
  takeFollowUp(): FollowUp | undefined
  putBack(followUp: FollowUp): void
  refuse(followUp: FollowUp, reason: string): void
  refuseAll(reason: string): void
}

export function createSpokenQueue(thread: {
  /** Absent when nothing is kept. */
  readonly open?: () => Promise<Kept>
  /** Of the thread, if it is open now. */
  readonly recorder: () => Recorder | undefined
  readonly clock: Clock
}): SpokenQueue {
  const { open, recorder, clock } = thread
  const followUps: FollowUp[] = []
  const deliveries = new Map<string, Promise<Delivery>>()
  /** What is being written down now. */
  const writing = new Map<string, Promise<void>>()

  /** Said twice under one id, it is said once, and both hear what became of it. */
  async function once(
    id: string,
    said: { readonly mode: Mode; readonly text: string },
    deliver: () => Promise<Delivery>,
    kept: () => void = ignore,
  ): Promise<Delivery> {
    if (!open) return deliver()
    const twin = deliveries.get(id)
    if (twin) {
      void (writing.get(id) ?? Promise.resolve()).then(kept, ignore)
      return twin
    }
    const { promise, resolve } = Promise.withResolvers<Delivery>()
    deliveries.set(id, promise)
    try {
      const opened = await open()
      const delivery = opened.state?.deliveries.get(id)
      if (delivery) resolve(delivery)
      else {
        if (!opened.state?.queued.some((queued) => queued.id === id)) {
          opened.recorder!.add({ type: 'message-queue', at: clock.now(), id, ...said })
          const written = opened.recorder!.harden()
          writing.set(id, written)
          await written.finally(() => writing.delete(id))
        }
        kept()
        resolve(deliver())
      }
    } catch (error) {
      // The turn ends by it and says so; whoever spoke only has to know that nobody heard it.
      deliveries.delete(id)
      const cause = error instanceof RecordingError ? error.cause : error
      resolve({ delivered: false, reason: `it could not be written down: ${String(cause)}` })
    }
    return promise
  }

  async function post(inbox: Inbox, text: string, id: string): Promise<Delivery> {
    const delivery = await inbox.post(text, open ? id : undefined)
    if (open && !delivery.delivered) dequeue(id, delivery.reason)
    return delivery
  }

  function follow(text: string, id: string): Promise<Delivery> {
    const { promise, resolve: settle } = Promise.withResolvers<Delivery>()
    followUps.push({ id, text, settle })
    return promise
  }

  function refuse({ id, settle }: FollowUp, reason: string): void {
    settle({ delivered: false, reason })
    dequeue(id, reason)
  }

  function dequeue(id: string, refused: string): void {
    try {
      recorder()?.add({ type: 'message-dequeue', at: clock.now(), id, refused })
      void Promise.resolve(recorder()?.flush()).catch(ignore)
    } catch {
      // It stays in the queue, and becomes a turn of its own when the thread is opened again.
    }
  }

  return {
    get hasFollowUps() {
      return followUps.length > 0
    },
    deliveryOf: (id) => deliveries.get(id),
    steer: (inbox, text, id, kept) => once(id, { mode: 'steer', text }, () => post(inbox, text, id), kept),
    followUp: (text, id, queued, kept) => {
      const deliver = () => {
        const delivery = follow(text, id)
        queued()
        return delivery
      }
      return once(id, { mode: 'follow-up', text }, deliver, kept)
    },
    requeue(opened, inbox) {
      for (const { id, mode, text } of opened.state?.queued ?? []) {
        if (inbox?.has(id) || followUps.some((waits) => waits.id === id)) continue
        deliveries.set(id, mode === 'steer' && inbox ? post(inbox, text, id) : follow(text, id))
      }
    },
    takeFollowUp: () => followUps.shift(),
    putBack: (followUp) => void followUps.unshift(followUp),
    refuse,
    refuseAll(reason) {
      for (const next of followUps.splice(0)) refuse(next, reason)
    },
  }
}

const ignore = (): void => {}
