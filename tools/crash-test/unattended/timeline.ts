/** A time during which a process was there. It may have looked at any moment of it. */
export interface Presence {
  readonly from: number
  readonly until: number
}

/** The time of a round: it runs with the real one, and jumps. */
export interface Timeline {
  now(): number
  /** How far it is ahead of the real time. */
  readonly aheadMs: number
  /** Time passes that nobody sees. */
  jump(ms: number): void
  /** A process is there from now on, or no longer. */
  begin(): void
  end(): void
  /** Everything that was due by then has been done. */
  settle(at: number): void
  readonly presences: readonly Presence[]
  readonly settled: readonly number[]
}

export function createTimeline(beginsAt: number): Timeline {
  let ahead = beginsAt - Date.now()
  let since: number | undefined
  const presences: Presence[] = []
  const settled: number[] = []
  const now = (): number => Date.now() + ahead
  function end(): void {
    if (since !== undefined) presences.push({ from: since, until: now() })
    since = undefined
  }
  return {
    now,
    get aheadMs() {
      return ahead
    },
    presences,
    settled,
    jump(ms) {
      const wasThere = since !== undefined
      end()
      ahead += ms
      if (wasThere) since = now()
    },
    begin: () => void (since ??= now()),
    end,
    settle: (at) => void settled.push(at),
  }
}
