import type { ReactElement } from 'react'
import type { ShownProblem } from '../../socket/use-field-problem.ts'
import { useT } from '../../i18n/use-t.ts'
import { Select } from '../../ui/controls/select.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import type { ProfileDraft } from './profile-draft.ts'
import { fieldOfProfile } from './profile-draft.ts'

const NETWORKS = ['off', 'hosts', 'any'] as const

/** What a program may reach, as fields that can be changed. */
export function ProfileFields({
  draft,
  problem,
  onChange,
}: {
  readonly draft: ProfileDraft
  readonly problem?: ShownProblem | undefined
  readonly onChange: (draft: ProfileDraft) => void
}): ReactElement {
  const t = useT()
  const refused = problem && fieldOfProfile(draft, problem)
  const lines = (field: 'read' | 'write' | 'hosts' | 'environment') => ({
    value: draft[field],
    rows: Math.min(5, Math.max(2, draft[field].split('\n').length)),
    dir: 'ltr',
    spellCheck: false,
    autoComplete: 'off',
    error: refused === field ? problem?.text : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...draft, [field]: event.target.value }),
  })
  return (
    <>
      <TextArea
        label={t('connections.profile.read')}
        hint={t('connections.profile.lines')}
        {...lines('read')}
      />
      <TextArea
        label={t('connections.profile.write')}
        hint={t('connections.profile.lines')}
        {...lines('write')}
      />
      <Select
        label={t('connections.profile.network')}
        value={draft.network}
        options={NETWORKS.map((value) => ({ value, label: t(`connections.profile.networks.${value}`) }))}
        onValueChange={(network) => onChange({ ...draft, network })}
      />
      {draft.network === 'hosts' && (
        <TextArea
          label={t('connections.profile.hosts')}
          hint={t('connections.profile.hostsHint')}
          {...lines('hosts')}
        />
      )}
      <TextArea
        label={t('connections.profile.environment')}
        hint={t('connections.profile.environmentHint')}
        {...lines('environment')}
      />
    </>
  )
}
