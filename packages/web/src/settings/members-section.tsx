import type { MemberLink, MemberRow } from '@capstan/protocol'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useFieldProblem } from '../socket/use-field-problem.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { MemberItem } from './member-item.tsx'

/** The people whom the owner let in. */
export function MembersSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const reason = useReason()
  const toProblem = useFieldProblem()
  const { data, error, reload, setData } = useLoaded('members', (signal) => api.members({ signal }))
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [newest, setNewest] = useState<MemberLink>()
  const members = data?.members ?? []

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (name.trim() === '' || isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      setNewest(await api.addMember(name.trim()))
      setName('')
      reload()
    } catch (refusal) {
      setProblem(toProblem(refusal).text)
    }
    setBusy(false)
  }

  const replace = (changed: MemberRow): void =>
    setData({ members: members.map((one) => (one.userId === changed.userId ? changed : one)) })

  return (
    <Card title={t('people.members.title')} description={t('people.members.description')}>
      {!data && !error && <Skeleton lines={2} />}
      {error && (
        <p className="settings-failed" role="alert">
          {reason(error)}
        </p>
      )}
      {data && members.length === 0 && <p className="settings-empty">{t('people.members.empty')}</p>}
      <ul role="list" className="settings-rows">
        {members.map((member) => (
          <MemberItem
            key={member.userId}
            member={member}
            onLink={setNewest}
            onChange={replace}
            onRemoved={() => {
              setNewest(undefined)
              reload()
            }}
          />
        ))}
      </ul>
      {newest && (
        <div className="settings-in-use" role="status">
          <p className="settings-small">{t('people.members.link', { user: newest.member.userId })}</p>
          <p className="settings-link">
            <code dir="ltr">{newest.link}</code>
            <CopyButton text={newest.link} />
          </p>
          {newest.isLocalOnly && <p className="settings-small">{t('people.members.linkLocalOnly')}</p>}
        </div>
      )}
      <form className="settings-line" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('people.members.name')}
          error={problem}
          value={name}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="settings-actions">
          <Button
            type="submit"
            icon={<UserPlus aria-hidden="true" />}
            busy={isBusy}
            disabled={name.trim() === ''}
          >
            {t('people.members.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
