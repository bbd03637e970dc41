/** PostgreSQL refuses a payload of 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900

interface Ring {
  readonly topic: string
  readonly id: string
  readonly no?: number | undefined
}

/** Merges the rings of a node into payloads, and reads those of other nodes. */
export interface BellMessages {
  add(topic: string, id: string, no?: number): void
  readonly isEmpty: boolean
  /** Everything since the last time. */
  take(): string[]
  /** Nothing for a payload of this node, or one that is not ours. */
  read(payload: string | undefined): readonly Ring[]
}

export function createMessages(nodeId: string): BellMessages {
  let due = new Map<string, Ring>()
  return {
    get isEmpty() {
      return due.size === 0
    },
    add(topic, id, no) {
      const key = `${topic} ${id}`
      const known = due.get(key)?.no
      due.set(key, { topic, id, no: known === undefined || no === undefined ? no : Math.max(known, no) })
    },
    take() {
      const payloads: string[] = []
      let part: string[] = []
      let bytes = 0
      const close = () => {
        if (part.length > 0) payloads.push(`[${JSON.stringify(nodeId)},[${part.join(',')}]]`)
        part = []
        bytes = nodeId.length * 2 + 8
      }
      close()
      for (const { topic, id, no } of due.values()) {
        const json = JSON.stringify(no === undefined ? [topic, id] : [topic, id, no])
        const size = Buffer.byteLength(json) + 1
        if (bytes + size > MAX_PAYLOAD_BYTES) close()
        part.push(json)
        bytes += size
      }
      close()
      due = new Map()
      return payloads
    },
    read(payload) {
      const [from, rings] = parse(payload)
      return from === nodeId ? [] : rings
    },
  }
}

function parse(payload = ''): readonly [from: unknown, rings: readonly Ring[]] {
  try {
    const [from, rings] = JSON.parse(payload) as [unknown, [string, string, number?][]]
    return [from, rings.map(([topic, id, no]) => ({ topic, id, no }))]
  } catch {
    return [undefined, []]
  }
}
