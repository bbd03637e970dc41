import './field.css'
import { useId } from 'react'
import type { ReactElement, ReactNode } from 'react'

export interface SwitchProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
  readonly disabled?: boolean
}

export function Switch({
  label,
  hideLabel = false,
  hint,
  checked,
  onCheckedChange,
  disabled,
}: SwitchProps): ReactElement {
  const id = useId()
  return (
    <div className="ui-switch-row">
      <div className="ui-field">
        <label className={hideLabel ? 'ui-visually-hidden' : 'ui-field-label'} htmlFor={id}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="ui-field-hint">
            {hint}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        className="ui-switch"
        aria-checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        disabled={disabled}
        onClick={() => onCheckedChange(!checked)}
      />
    </div>
  )
}
