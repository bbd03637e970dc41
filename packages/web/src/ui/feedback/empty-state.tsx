import './state.css'
import type { ReactElement, ReactNode } from 'react'

export interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  /** What can be here, and how to add it. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps): ReactElement {
  return (
    <div className="ui-state" data-kind="empty">
      {icon !== undefined && (
        <div className="ui-state-icon" aria-hidden="true">
          {icon}
        </div>
      )}
      <p className="ui-state-title">{title}</p>
      {children !== undefined && <div>{children}</div>}
      {actions !== undefined && <div className="ui-state-actions">{actions}</div>}
    </div>
  )
}
