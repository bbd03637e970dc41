import type { ComponentProps, ReactElement } from 'react'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'

export type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'size'>

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  className,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(control) => (
        <input {...rest} {...control} className={['ui-input', className].filter(Boolean).join(' ')} />
      )}
    </Field>
  )
}
