import type { TurnEvent } from '@capstan/protocol'

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>

/** A listener that keeps all events. */
export interface RecordedEvents {
  readonly all: readonly TurnEvent[]
  readonly onEvent: (event: TurnEvent) => void
  /** The events of one type, in order. */
  of<Type extends TurnEvent['type']>(type: Type): readonly EventOf<Type>[]
  /** Settles at the next event of this type. */
  next<Type extends TurnEvent['type']>(type: Type): Promise<EventOf<Type>>
  /** The text streamed so far. */
  text(): string
}

/** Creates a listener that records events. */
export function recordEvents(): RecordedEvents {
  const all: TurnEvent[] = []
  const waiting: { readonly type: string; readonly resolve: (event: TurnEvent) => void }[] = []
  const of = <Type extends TurnEvent['type']>(type: Type) =>
    all.filter((event): event is EventOf<Type> => event.type === type)
  return {
    all,
    of,
    onEvent(event) {
      all.push(event)
      for (const waiter of waiting.filter(({ type }) => type === event.type)) {
        waiting.splice(waiting.indexOf(waiter), 1)
        waiter.resolve(event)
      }
    },
    next: <Type extends TurnEvent['type']>(type: Type) =>
      new Promise<EventOf<Type>>((resolve) =>
        waiting.push({ type, resolve: (event) => resolve(event as EventOf<Type>) }),
      ),
    text: () => of('text-delta').reduce((text, { delta }) => text + delta, ''),
  }
}
