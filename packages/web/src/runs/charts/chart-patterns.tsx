import type { ReactElement } from 'react'

/**
 * Patterns over coloured bars, so that colour is not the only signal. Drawn once per page with charts; a bar refers to
 * a pattern by its id, `fill="url(#runs-hatch)"`.
 */
export function ChartPatterns(): ReactElement {
  return (
    <svg className="runs-patterns" width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        <pattern
          id="runs-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2.5" height="6" className="runs-pattern-ink" />
        </pattern>
        <pattern id="runs-stripes" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="1.75" height="5" className="runs-pattern-ink" />
        </pattern>
        <pattern id="runs-dots" width="5" height="5" patternUnits="userSpaceOnUse">
          <circle cx="2.5" cy="2.5" r="1.1" className="runs-pattern-ink" />
        </pattern>
      </defs>
    </svg>
  )
}
