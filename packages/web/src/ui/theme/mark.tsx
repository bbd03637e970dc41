import type { ReactElement } from 'react'

/** A capstan from above: the drum and its bars. */
export function Mark({ size = 24 }: { readonly size?: number }): ReactElement {
  return (
    <svg className="ui-mark" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path
        className="ui-mark-bars"
        d="M16 3v26M4.7 9.5l22.6 13M4.7 22.5l22.6-13"
        fill="none"
        strokeWidth="2.75"
        strokeLinecap="round"
      />
      <circle className="ui-mark-drum" cx="16" cy="16" r="7.5" />
      <circle className="ui-mark-hub" cx="16" cy="16" r="2.25" />
    </svg>
  )
}
