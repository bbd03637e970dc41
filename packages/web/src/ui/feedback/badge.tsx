import './state.css'
import type { ReactElement, ReactNode } from 'react'

export type Tone = 'neutral' | 'ok' | 'warn' | 'fail' | 'info' | 'accent'

export interface BadgeProps {
  readonly tone?: Tone
  readonly icon?: ReactNode
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', icon, children }: BadgeProps): ReactElement {
  return (
    <span className="ui-badge" data-tone={tone}>
      {icon}
      {children}
    </span>
  )
}
