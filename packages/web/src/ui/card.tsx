import './surface.css'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly title?: ReactNode
  /** Small print under the title. */
  readonly description?: ReactNode
  /** At the end of the title's line. */
  readonly actions?: ReactNode
  readonly tone?: 'neutral' | 'ok' | 'warn' | 'fail' | 'info' | 'accent'
}

export function Card({
  title,
  description,
  actions,
  tone = 'neutral',
  className,
  children,
  ...rest
}: CardProps): ReactElement {
  return (
    <section {...rest} className={['ui-card', className].filter(Boolean).join(' ')} data-tone={tone}>
      {(title !== undefined || actions !== undefined) && (
        <header className="ui-card-head">
          <div>
            {title !== undefined && <h3 className="ui-card-title">{title}</h3>}
            {description !== undefined && <p className="ui-card-description">{description}</p>}
          </div>
          {actions !== undefined && <div className="ui-card-actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
