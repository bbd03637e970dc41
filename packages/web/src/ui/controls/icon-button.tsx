import './button.css'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Tooltip } from '../overlays/tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** What the button does: its accessible name and its tooltip. */
  readonly label: string
  readonly size?: 'md' | 'sm'
  readonly children: ReactNode
}

export function IconButton({
  label,
  size = 'md',
  className,
  children,
  type = 'button',
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <Tooltip text={label}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={['ui-icon-button', className].filter(Boolean).join(' ')}
        data-size={size}
      >
        {children}
      </button>
    </Tooltip>
  )
}
