import type { ReactElement } from 'react'
import type { BarPart } from '../stats/day-bars.ts'

const PATTERNS: { readonly [Name in BarPart['part']]?: string } = {
  cached: 'url(#runs-dots)',
  output: 'url(#runs-hatch)',
}

/** One part of a bar: a colour with a pattern above it. A part without height is not drawn. */
export function PartBar({
  part,
  ...place
}: {
  readonly part: BarPart['part']
  readonly x: string
  readonly width: string
  readonly y: number
  readonly height: number
}): ReactElement | null {
  if (place.height <= 0) return null
  return (
    <>
      <rect className="runs-part" data-part={part} {...place} />
      {PATTERNS[part] && <rect className="runs-bar-pattern" fill={PATTERNS[part]} {...place} />}
    </>
  )
}
