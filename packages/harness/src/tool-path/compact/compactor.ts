import type { CompactionProfile } from '../../turn/tool/compaction-profile.ts'

/** What is known about an output besides its text. */
export interface OutputFacts {
  readonly tool: string
  /** The command line, when the tool ran one. */
  readonly command: string | undefined
  readonly ok: boolean
  readonly profile: CompactionProfile
}

/** A compacted text. `lossy`: content was left out that cannot be restored from the text. */
export interface Compacted {
  readonly text: string
  readonly lossy: boolean
}

/** One kind of text. Every method is pure, takes linear time and never throws. */
export interface Compactor {
  /** Looks at the beginning, or at marks that are quickly found. */
  readonly recognises: (text: string, facts: OutputFacts) => boolean
  /** Shortens the text without loss, if possible. */
  readonly tidy: (text: string) => string
  /** Leaves out the least important parts, and marks in the text where and how much. */
  readonly shorten: (text: string, facts: OutputFacts) => string
}

/**
 * The characters a shortened text aims at, well under what the model may be given of one result. A failure has
 * twice as much: its cause may stand anywhere.
 */
export function spaceFor({ ok }: OutputFacts): number {
  return ok ? 6_000 : 12_000
}
