import './state.css'
import { TriangleAlert } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../controls/button.tsx'

export interface ErrorStateProps {
  readonly title?: string
  /** Why, in plain words. */
  readonly children?: ReactNode
  /** Shown as "Try again". */
  readonly onRetry?: () => void
  readonly actions?: ReactNode
}

/** Shows why something could not be loaded, and what to do. */
export function ErrorState({ title, children, onRetry, actions }: ErrorStateProps): ReactElement {
  const t = useT()
  return (
    <div className="ui-state" data-kind="error" role="alert">
      <div className="ui-state-icon" aria-hidden="true">
        <TriangleAlert size={20} />
      </div>
      <p className="ui-state-title">{title ?? t('ui.errorTitle')}</p>
      {children !== undefined && <div>{children}</div>}
      <div className="ui-state-actions">
        {onRetry && (
          <Button variant="strong" onClick={onRetry}>
            {t('ui.retry')}
          </Button>
        )}
        {actions}
      </div>
    </div>
  )
}
