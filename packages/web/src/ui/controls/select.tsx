import { ChevronDown } from 'lucide-react'
import type { ReactElement } from 'react'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'

interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly disabled?: boolean
  /** The language of the label. */
  readonly lang?: string
}

export interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value
  readonly options: readonly SelectOption<Value>[]
  readonly onValueChange: (value: Value) => void
  readonly disabled?: boolean
}

/** The browser's own select: it works on phones, by keyboard and with type-ahead. */
export function Select<Value extends string>({
  label,
  hideLabel,
  hint,
  error,
  value,
  options,
  onValueChange,
  disabled,
}: SelectProps<Value>): ReactElement {
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(control) => (
        <span className="ui-select-frame">
          <select
            {...control}
            className="ui-input"
            value={value}
            disabled={disabled}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value)
              if (chosen) onValueChange(chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled} lang={option.lang}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" />
        </span>
      )}
    </Field>
  )
}
