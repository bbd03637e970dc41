import type { ReactElement } from 'react'
import type { BarPart } from '../stats/day-bars.ts'

const PATTERNS: { readonly [Name in BarPart['part']]?: string } = {
  cached: 'url(#runs-dots)',
  output: 'url(#runs-hatch)',
}

/** One part of a bar: colour below, pattern above. Nothing for a part of no height. */
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
