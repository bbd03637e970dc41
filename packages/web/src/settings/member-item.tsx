import type { MemberLink, MemberRow, UserLimits } from '@capstan/protocol'
import { KeyRound, User, X } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { Time } from '../ui/text/time.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { readSpending, SpendingFields } from './spending-fields.tsx'

/** One member: last use, a new login link, limits and removal. */
export function MemberItem({
  member,
  onLink,
  onChange,
  onRemoved,
}: {
  readonly member: MemberRow
  readonly onLink: (link: MemberLink) => void
  readonly onChange: (member: MemberRow) => void
  readonly onRemoved: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const [isRemoving, setRemoving] = useState(false)
  const format = useFormatters()
  const { userId: user, usedAt } = member

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  async function remove(): Promise<void> {
    setRemoving(false)
    await api.removeMember(user)
    toast({ text: t('people.members.removed', { user }) })
    onRemoved()
  }

  return (
    <li>
      <div className="settings-row">
        <User size={16} aria-hidden="true" />
        <div className="settings-row-name">
          <p>
            <bdi>{user}</bdi>
          </p>
          <p className="settings-small">
            {usedAt === undefined ? (
              t('people.members.neverUsed')
            ) : (
              <>
                {t('people.logins.lastUse')} <Time at={usedAt} />
              </>
            )}
            {' · '}
            {t('people.members.stored', { size: format.bytes(member.storedBytes) })}
          </p>
        </div>
        <IconButton
          label={t('people.members.newLink', { user })}
          size="sm"
          onClick={() => void attempt(async () => onLink(await api.linkMember(user)))}
        >
          <KeyRound aria-hidden="true" />
        </IconButton>
        <IconButton label={t('people.members.remove', { user })} size="sm" onClick={() => setRemoving(true)}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <Disclosure summary={t('people.members.limits', { user })}>
        <LimitsForm
          limits={member.limits}
          onSave={(limits) =>
            attempt(async () => {
              onChange(await api.changeMember(user, { limits }))
              toast({ text: t('people.members.saved', { user }) })
            })
          }
        />
      </Disclosure>
      <Dialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('people.members.removeTitle', { user })}
        actions={
          <>
            <Button onClick={() => setRemoving(false)}>{t('ui.cancel')}</Button>
            <Button variant="danger" onClick={() => void attempt(remove)}>
              {t('people.members.removeConfirm')}
            </Button>
          </>
        }
      >
        <p>{t('people.members.removeText', { user })}</p>
      </Dialog>
    </li>
  )
}

const FIELDS = ['turnsAtOnce', 'messagesPerMinute', 'threads', 'storedMegabytes'] as const

function LimitsForm({
  limits,
  onSave,
}: {
  readonly limits: UserLimits
  readonly onSave: (limits: UserLimits) => Promise<void>
}): ReactElement {
  const t = useT()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (field: keyof UserLimits): number => Number(form.get(field))
    setBusy(true)
    await onSave({
      turnsAtOnce: read('turnsAtOnce'),
      messagesPerMinute: read('messagesPerMinute'),
      threads: read('threads'),
      storedMegabytes: read('storedMegabytes'),
      ...readSpending(form),
      usdPerDay: read('usdPerDay'),
    })
    setBusy(false)
  }

  return (
    <form className="settings-line" onSubmit={(event) => void submit(event)}>
      <div className="settings-columns">
        {FIELDS.map((field) => (
          <TextField
            key={field}
            name={field}
            label={t(`people.members.${field}`)}
            type="number"
            min={0}
            step={1}
            required
            defaultValue={limits[field]}
          />
        ))}
        <SpendingFields limits={limits} isDayRequired />
      </div>
      <div className="settings-actions">
        <Button type="submit" busy={isBusy}>
          {t('people.members.save')}
        </Button>
      </div>
    </form>
  )
}
