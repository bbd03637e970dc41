import './surface.css'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly title?: ReactNode
  /** Small print under the title. */
  readonly description?: ReactNode
  /** At the end of the title's line. */
  readonly actions?: ReactNode
  /** The heading level: 2 below the page title, 3 inside a section with a heading. */
  readonly level?: 2 | 3
  readonly tone?: 'neutral' | 'ok' | 'warn' | 'fail' | 'info' | 'accent'
}

export function Card({
  title,
  description,
  actions,
  level = 2,
  tone = 'neutral',
  className,
  children,
  ...rest
}: CardProps): ReactElement {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section {...rest} className={['ui-card', className].filter(Boolean).join(' ')} data-tone={tone}>
      {(title !== undefined || actions !== undefined) && (
        <header className="ui-card-head">
          <div>
            {title !== undefined && <Heading className="ui-card-title">{title}</Heading>}
            {description !== undefined && <p className="ui-card-description">{description}</p>}
          </div>
          {actions !== undefined && <div className="ui-card-actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
