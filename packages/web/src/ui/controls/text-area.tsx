import type { ComponentProps, ReactElement } from 'react'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'

export type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id'>

export function TextArea({ label, hideLabel, hint, error, className, ...rest }: TextAreaProps): ReactElement {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(control) => (
        <textarea {...rest} {...control} className={['ui-input', className].filter(Boolean).join(' ')} />
      )}
    </Field>
  )
}
