import type { NameKind } from './secret-names.ts'
import type { Span } from './span.ts'
import { toMark } from './span.ts'

/** A keyword the walk has met, with what was found so far. One site serves a whole walk. */
export class Site {
  readonly text: string
  readonly spans: Span[]
  start = 0
  end = 0
  /** Names before this place were read already. */
  namesUntil = 0
  /** How far a finder that reads ahead has been, so that no stretch is read twice. */
  readonly seen = new Map<unknown, number>()
  /** What a name was found to mean earlier in this text. */
  readonly names = new Map<string, NameKind | 'nothing'>()

  constructor(text: string, spans: Span[]) {
    this.text = text
    this.spans = spans
  }

  /** Puts a mark between two places and answers the second, where the walk may go on. */
  hide(start: number, end: number, mark = toMark()): number {
    this.spans.push({ start, end, mark, anchor: Math.min(this.start, start) })
    return end
  }
}

/** Looks around a keyword and hides what it finds. Answers where the walk goes on; 0 means just behind the keyword. */
export type Finder = (site: Site) => number
