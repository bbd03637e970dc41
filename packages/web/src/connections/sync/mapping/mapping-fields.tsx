import type { ActionRow } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { Select } from '../../../ui/controls/select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { Disclosure } from '../../../ui/surfaces/disclosure.tsx'
import type { MappingDraft, MappingField } from './mapping-draft.ts'

interface MappingFieldsProps {
  readonly draft: MappingDraft
  readonly actions: readonly ActionRow[]
  /** Fields that are only a guess. */
  readonly unsure: readonly string[]
  readonly errors: Readonly<Partial<Record<MappingField, string>>>
  readonly onChange: (part: Partial<MappingDraft>) => void
}

const MORE = [
  'fields.version',
  'fields.link',
  'fields.people',
  'list.args',
  'list.cursor',
  'list.next',
  'list.pages',
  'list.mostPages',
  'list.total',
] as const satisfies readonly MappingField[]

/** What is read, and where each part of an item stands. */
export function MappingFields(props: MappingFieldsProps): ReactElement {
  const { draft, unsure, errors, onChange } = props
  const t = useT()
  const needsMore = MORE.some((field) => unsure.includes(field) || errors[field] !== undefined)
  const [isOpen, setOpen] = useState(needsMore)
  const [checked, setChecked] = useState(errors)
  if (checked !== errors) {
    setChecked(errors)
    if (needsMore) setOpen(true)
  }
  return (
    <div className="mapping-fields">
      <Group title={t('sync.mapping.list')}>
        <ActionField {...props} field="list.action" none={t('sync.mapping.choose')} />
        <PathField {...props} field="list.items" />
      </Group>
      <Group title={t('sync.mapping.read')}>
        <ActionField {...props} field="read.action" none={t('sync.mapping.noRead')} />
        {draft['read.action'] !== '' && (
          <>
            <PathField {...props} field="read.id" />
            <PathField {...props} field="read.item" />
          </>
        )}
      </Group>
      <Group title={t('sync.mapping.item')}>
        {(['fields.id', 'fields.title', 'fields.text', 'fields.at'] as const).map((field) => (
          <PathField key={field} {...props} field={field} />
        ))}
      </Group>
      <Disclosure summary={t('sync.mapping.more')} open={isOpen} onOpenChange={setOpen}>
        <div className="mapping-group-fields">
          {MORE.map((field) => (
            <PathField key={field} {...props} field={field} />
          ))}
          <label className="mapping-check">
            <input
              type="checkbox"
              checked={draft.isNewestFirst}
              onChange={(event) => onChange({ isNewestFirst: event.target.checked })}
            />
            {t('sync.mapping.isNewestFirst')}
          </label>
        </div>
      </Disclosure>
    </div>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="mapping-group">
      <p id={id} className="connections-label">
        {title}
      </p>
      <div className="mapping-group-fields">{children}</div>
    </div>
  )
}

function PathField({
  field,
  draft,
  unsure,
  errors,
  onChange,
}: MappingFieldsProps & {
  readonly field: Exclude<MappingField, 'list.action' | 'read.action'>
}): ReactElement {
  const t = useT()
  const [part, name] = field.split('.')
  return (
    <TextField
      label={t(`sync.mapping.fields.${part}.${name}` as 'sync.mapping.fields.list.items')}
      hint={unsure.includes(field) ? <Unsure /> : undefined}
      error={errors[field]}
      name={field}
      className="connections-command-input"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      dir="ltr"
      maxLength={field === 'list.args' ? 4_000 : 200}
      value={draft[field]}
      onChange={(event) => onChange({ [field]: event.target.value })}
    />
  )
}

/** Actions that do not read cannot be chosen. One that is set already stays, also when the app has it no more. */
function ActionField({
  field,
  none,
  draft,
  actions,
  unsure,
  errors,
  onChange,
}: MappingFieldsProps & {
  readonly field: 'list.action' | 'read.action'
  readonly none: string
}): ReactElement {
  const t = useT()
  const names = actions.map(({ name }) => name)
  const value = draft[field]
  const shown = value === '' || names.includes(value) ? names : [value, ...names]
  return (
    <Select
      label={t('sync.mapping.action')}
      hint={unsure.includes(field) ? <Unsure /> : undefined}
      error={errors[field]}
      value={value}
      options={[{ value: '', label: none }, ...shown.map((name) => ({ value: name, label: name }))]}
      onValueChange={(action) => onChange({ [field]: action })}
    />
  )
}

function Unsure(): ReactElement {
  const t = useT()
  return <span className="mapping-unsure">{t('sync.mapping.unsure')}</span>
}
