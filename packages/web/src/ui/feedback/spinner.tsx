import './state.css'
import type { ReactElement } from 'react'

/** A spinner. Without a label it is decorative: put the text elsewhere. */
export function Spinner({ label }: { readonly label?: string }): ReactElement {
  return (
    <span className="ui-spinner" role={label === undefined ? undefined : 'status'}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.75" opacity="0.25" />
        <path
          d="M8 1.75a6.25 6.25 0 0 1 6.25 6.25"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        />
      </svg>
      {label !== undefined && <span className="ui-visually-hidden">{label}</span>}
    </span>
  )
}
