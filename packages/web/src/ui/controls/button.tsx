import './button.css'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Spinner } from '../feedback/spinner.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** `strong` is the main action of a view; `danger` removes something. */
  readonly variant?: 'strong' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'md' | 'sm'
  /** Shows a spinner and ignores presses, but keeps the focus. */
  readonly busy?: boolean
  readonly icon?: ReactNode
  readonly children: ReactNode
}

export function Button({
  variant = 'plain',
  size = 'md',
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      className={['ui-button', className].filter(Boolean).join(' ')}
      data-variant={variant}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <Spinner /> : icon}
      <span className="ui-button-label">{children}</span>
    </button>
  )
}
