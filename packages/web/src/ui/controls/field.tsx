import './field.css'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ReactElement, ReactNode } from 'react'

export interface FieldProps {
  readonly label: string
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly error?: string
}

interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

/** Label, hint and error around one control, connected for screen readers. */
export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactElement }): ReactElement {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <div className="ui-field">
      <label className={hideLabel ? 'ui-visually-hidden' : 'ui-field-label'} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': error !== undefined || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="ui-field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="ui-field-error" role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          {error}
        </p>
      )}
    </div>
  )
}
