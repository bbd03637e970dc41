import type { McpServerRow, ServerProfile } from '@capstan/protocol'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import type { ShownProblem } from '../../socket/use-field-problem.ts'
import { useFieldProblem } from '../../socket/use-field-problem.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { ConfinementNote } from './confinement-note.tsx'
import { fieldOfProfile, toDraft, toProfile } from './profile-draft.ts'
import { ProfileFields } from './profile-fields.tsx'

/** Shows and changes what the program of an added server may reach. What was typed stays when it is refused. */
export function ProfileEditor({
  server,
  profile,
  isOffline,
}: {
  readonly server: McpServerRow
  readonly profile: ServerProfile
  readonly isOffline: boolean
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toProblem = useFieldProblem()
  const [draft, setDraft] = useState(() => toDraft(profile))
  const [problem, setProblem] = useState<ShownProblem>()
  const [isBusy, setBusy] = useState(false)

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const changed = await api.changeMcpServer(server.slug, { sandbox: toProfile(draft) })
      if (changed.sandbox) setDraft(toDraft(changed.sandbox))
      toast({ text: t('connections.profile.saved', { name: server.name }) })
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="connections-form" onSubmit={(event) => void save(event)}>
      {server.isConfined !== false && <p className="connections-soft">{t('connections.profile.intro')}</p>}
      <ConfinementNote />
      <ProfileFields draft={draft} problem={problem} onChange={setDraft} />
      {problem && !fieldOfProfile(draft, problem) && (
        <p className="connections-problem" role="alert">
          {problem.text}
        </p>
      )}
      <div className="connections-form-actions">
        <Button type="submit" busy={isBusy} disabled={isOffline}>
          {t('connections.profile.save')}
        </Button>
      </div>
    </form>
  )
}
