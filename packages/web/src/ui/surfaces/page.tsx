import './page.css'
import type { ReactElement, ReactNode } from 'react'

export interface PageProps {
  readonly title: string
  readonly description?: ReactNode
  /** At the end of the title's line. */
  readonly actions?: ReactNode
  readonly width?: 'text' | 'wide'
  readonly children: ReactNode
}

/** A page that scrolls as a whole, with its single `h1`. */
export function Page({ title, description, actions, width = 'text', children }: PageProps): ReactElement {
  return (
    <div className="ui-page">
      <div className="ui-page-inside" data-width={width}>
        <header className="ui-page-head">
          <div>
            <h1>{title}</h1>
            {description !== undefined && <p className="ui-page-description">{description}</p>}
          </div>
          {actions !== undefined && <div className="ui-page-actions">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}
