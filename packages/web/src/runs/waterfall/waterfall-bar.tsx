import type { ReactElement } from 'react'
import type { Tone } from './waterfall.ts'

/** What a bar stands for. `whole`: a run whose parts are drawn above it. */
export type BarTone = Tone | 'model' | 'whole'

const PATTERNS: { readonly [Name in BarTone]?: string } = {
  failed: 'url(#runs-hatch)',
  held: 'url(#runs-stripes)',
  waiting: 'url(#runs-dots)',
}

/** A colour with a pattern above it. A step that took no time still has a visible bar. */
export function WaterfallBar({
  tone,
  ...place
}: {
  readonly tone: BarTone
  readonly x: string
  readonly width: string
  readonly y: number
  readonly height: number
}): ReactElement {
  return (
    <>
      <rect className="runs-bar" data-tone={tone} rx="2" {...place} />
      {PATTERNS[tone] && <rect className="runs-bar-pattern" rx="2" fill={PATTERNS[tone]} {...place} />}
    </>
  )
}
