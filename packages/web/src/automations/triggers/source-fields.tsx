import type { TriggerSourceKind } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import type { ShownProblem } from '../../socket/use-field-problem.ts'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useKindName } from './kind-name.ts'
import type { SourceDraft } from './source-draft.ts'
import { isOfApp } from './source-draft.ts'
import { AccountSelect, ThreadSelect } from './source-selects.tsx'

const KINDS: readonly TriggerSourceKind[] = [
  'github',
  'stripe',
  'slack',
  'linear',
  'composio',
  'generic',
  'sync',
  'resource',
]
const RULES = ['rule1', 'rule2', 'rule3'] as const
const MAX_NAME_CHARS = 80
const MAX_RULE_CHARS = 2_000

interface SourceFieldsProps {
  readonly draft: SourceDraft
  /** What the server refused, at its field. */
  readonly problem: ShownProblem | undefined
  readonly isNew: boolean
  readonly onChange: (part: Partial<SourceDraft>) => void
}

export function SourceFields(props: SourceFieldsProps): ReactElement {
  const { draft, problem, isNew, onChange } = props
  const t = useT()
  const toKindName = useKindName()
  const errorOf = (field: string): string | undefined => (problem?.field === field ? problem.text : undefined)
  return (
    <>
      {isNew && (
        <Select
          label={t('triggers.form.kind')}
          value={draft.kind}
          onValueChange={(kind) => onChange({ kind })}
          options={KINDS.map((value) => ({ value, label: toKindName(value) }))}
        />
      )}
      {isNew && isOfApp(draft.kind) && <AccountSelect {...props} error={errorOf('connectionId')} />}
      <TextField
        label={t('triggers.form.name')}
        name="name"
        placeholder={t('triggers.form.namePlaceholder')}
        dir="auto"
        maxLength={MAX_NAME_CHARS}
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <RuleField draft={draft} error={errorOf('rule')} onChange={onChange} />
      {isNew && !isOfApp(draft.kind) && (
        <TextField
          label={t('triggers.form.secret')}
          hint={t('triggers.form.secretHint')}
          type="password"
          autoComplete="off"
          dir="ltr"
          value={draft.secret}
          error={errorOf('secret')}
          onChange={(event) => onChange({ secret: event.target.value })}
        />
      )}
      <ThreadSelect {...props} error={errorOf('threadId')} />
      <BudgetFields {...props} errorOf={errorOf} />
      <QuietFields {...props} errorOf={errorOf} />
    </>
  )
}

type Part = Pick<SourceFieldsProps, 'draft' | 'onChange'>

function RuleField({ draft, error, onChange }: Part & { readonly error: string | undefined }): ReactElement {
  const t = useT()
  return (
    <div className="triggers-rule">
      <TextArea
        label={t('triggers.form.rule')}
        hint={t('triggers.form.ruleHint')}
        error={error}
        rows={3}
        dir="auto"
        maxLength={MAX_RULE_CHARS}
        value={draft.rule}
        onChange={(event) => onChange({ rule: event.target.value })}
      />
      <ul role="list" className="triggers-rules" aria-label={t('triggers.form.ruleExamples')}>
        {RULES.map((key) => {
          const text = t(`triggers.form.${key}`)
          return (
            <li key={key}>
              <button
                type="button"
                className="triggers-chip"
                onClick={() =>
                  onChange({ rule: draft.rule.trim() === '' ? text : `${draft.rule.trim()}\n${text}` })
                }
              >
                {text}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type WithErrors = Part & { readonly errorOf: (field: string) => string | undefined }

function BudgetFields({ draft, onChange, errorOf }: WithErrors): ReactElement {
  const t = useT()
  return (
    <div className="triggers-columns">
      <TextField
        label={t('triggers.form.usd')}
        hint={t('triggers.form.budgetHint')}
        type="number"
        min={0}
        max={1000}
        step="any"
        required
        value={draft.usd}
        error={errorOf('budget.usd')}
        onChange={(event) => onChange({ usd: event.target.value })}
      />
      <TextField
        label={t('triggers.form.runs')}
        type="number"
        min={0}
        max={10_000}
        step={1}
        required
        value={draft.runs}
        error={errorOf('budget.runs')}
        onChange={(event) => onChange({ runs: event.target.value })}
      />
    </div>
  )
}

function QuietFields({ draft, onChange, errorOf }: WithErrors): ReactElement {
  const t = useT()
  return (
    <div className="triggers-rule">
      <Switch
        label={t('triggers.form.quiet')}
        hint={t('triggers.form.quietHint')}
        checked={draft.isQuiet}
        onCheckedChange={(isQuiet) => onChange({ isQuiet })}
      />
      {draft.isQuiet && (
        <div className="triggers-columns">
          <TextField
            label={t('triggers.form.from')}
            type="time"
            required
            value={draft.from}
            error={errorOf('quietHours.from')}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <TextField
            label={t('triggers.form.to')}
            type="time"
            required
            value={draft.to}
            error={errorOf('quietHours.to')}
            onChange={(event) => onChange({ to: event.target.value })}
          />
          <TextField
            label={t('triggers.form.zone')}
            dir="ltr"
            required
            spellCheck={false}
            value={draft.timeZone}
            error={errorOf('quietHours.timeZone')}
            onChange={(event) => onChange({ timeZone: event.target.value })}
          />
        </div>
      )}
    </div>
  )
}
