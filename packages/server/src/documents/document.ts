import type { Documents } from './documents.ts'

/** What a document holds, and how it is written. */
export interface DocumentKind<Value> {
  readonly name: string
  /** The value while there is no document. */
  readonly empty: Value
  /** Throws for a text that holds no such value. */
  parse(text: string): Value
  format(value: Value): string
  /**
   * The value to use instead of a text that cannot be read, and to base changes on. It must allow nothing that the text may
   * have forbidden. Without this, the value before stays in use, and nothing can be changed.
   */
  damaged?(problem: unknown): Value
}

/** A document of an installation, read from memory. */
export interface Document<Value> {
  /** The newest value that this node knows. The same object until it changes. */
  readonly value: Value
  /**
   * Stores what `work` makes of the newest value; the same value is not stored again. `work` may be called several times.
   * Rejects with a `StoreError`, or with what `work` throws; nothing changes then.
   */
  change(work: (value: Value) => Value): Promise<Value>
  /** The same, but it counts here at once, also when it cannot be stored: the next change then stores it, too. */
  changeAtOnce(work: (value: Value) => Value): Promise<Value>
  /** Calls the listener after each change. The result unsubscribes. */
  watch(listener: DocumentListener<Value>): () => void
}

type DocumentListener<Value> = (value: Value, before: Value, by: 'this node' | 'another') => void

type Work<Value> = (value: Value) => Value

/** Opens a document whose text is in memory. Throws what `parse` throws when there is nothing to use instead. */
export function openDocument<Value>(documents: Documents, kind: DocumentKind<Value>): Document<Value> {
  const { name } = kind
  const listeners = new Set<DocumentListener<Value>>()
  /** Changes that count here and are not stored. */
  let pending: readonly Work<Value>[] = []
  let known: { readonly text: string | undefined; readonly stored: Value; readonly value: Value } | undefined

  const withPending = (stored: Value): Value => pending.reduce((value, work) => work(value), stored)
  function remember(text: string | undefined, stored: Value): Value {
    known = { text, stored, value: withPending(stored) }
    return known.value
  }

  function toStored(text: string | undefined): Value {
    if (known && known.text === text) return known.stored
    try {
      return text === undefined ? kind.empty : kind.parse(text)
    } catch (error) {
      if (kind.damaged) return kind.damaged(error)
      throw error
    }
  }

  function read(): Value {
    let text: string | undefined
    try {
      text = documents.read(name)
      return known && known.text === text ? known.value : remember(text, toStored(text))
    } catch (error) {
      if (known) return remember(text, known.stored)
      if (kind.damaged) return remember(text, kind.damaged(error))
      throw error
    }
  }

  let announced = read()
  function announce(by: 'this node' | 'another'): void {
    const before = announced
    announced = read()
    if (announced !== before) for (const listener of listeners) listener(announced, before, by)
  }
  documents.watch((changed) => {
    if (changed === name) announce('another')
  })

  async function change(work: Work<Value>): Promise<Value> {
    let done = { text: undefined as string | undefined, stored: announced, works: pending }
    await documents.change(name, (text) => {
      const before = toStored(text)
      const stored = work(withPending(before))
      done = { text: stored === before ? text : kind.format(stored), stored, works: pending }
      return stored === before ? undefined : done.text
    })
    pending = pending.filter((one) => !done.works.includes(one))
    if (documents.read(name) === done.text) remember(done.text, done.stored)
    announce('this node')
    return done.stored
  }

  return {
    get value() {
      return read()
    },
    change,
    changeAtOnce(work) {
      pending = [...pending, work]
      if (known) remember(known.text, known.stored)
      announce('this node')
      return change((value) => value)
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
