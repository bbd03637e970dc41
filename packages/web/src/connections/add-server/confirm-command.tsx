import type { McpServerPost } from '@capstan/protocol'
import { ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ConfinementNote } from '../profile/confinement-note.tsx'
import type { ProfileDraft } from '../profile/profile-draft.ts'
import { ProfileFields } from '../profile/profile-fields.tsx'

/** A command that waits for confirmation, exactly as the server would run it. */
export interface CommandOffer {
  readonly post: McpServerPost
  readonly command: string
  /** What it will be allowed to reach. Absent: what the server suggests. */
  readonly profile?: ProfileDraft
  readonly isConfined: boolean
}

interface ConfirmCommandProps {
  readonly offer: CommandOffer
  readonly isSure: boolean
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly onSure: (isSure: boolean) => void
  readonly onProfile: (profile: ProfileDraft) => void
  readonly onBack: () => void
  readonly onRun: () => void
  readonly onClose: () => void
}

/** Shows a command exactly as it would run. It runs only after the person has ticked the box. */
export function ConfirmCommand(props: ConfirmCommandProps): ReactElement {
  const { offer, isSure, isBusy, problem, onSure, onProfile, onBack, onRun, onClose } = props
  const t = useT()
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('connections.addServer.confirm.title')}
      actions={
        <>
          <Button onClick={onBack}>{t('connections.addServer.back')}</Button>
          <Button
            variant="strong"
            busy={isBusy}
            onClick={() => {
              setMissing(!isSure)
              if (isSure) onRun()
            }}
          >
            {t('connections.addServer.confirm.run')}
          </Button>
        </>
      }
    >
      <div className="connections-form">
        <ExactCommand offer={offer} />
        {offer.profile && (
          <fieldset className="connections-ways">
            <legend className="connections-label">{t('connections.profile.title')}</legend>
            <ConfinementNote />
            <ProfileFields draft={offer.profile} onChange={onProfile} />
          </fieldset>
        )}
        <label className="connections-way">
          <input
            type="checkbox"
            checked={isSure}
            aria-describedby={isMissing ? `${id}-missing` : undefined}
            aria-invalid={isMissing || undefined}
            onChange={(event) => {
              onSure(event.target.checked)
              setMissing(false)
            }}
          />
          <span>{t('connections.addServer.confirm.check')}</span>
        </label>
        {isMissing && (
          <p id={`${id}-missing`} className="connections-problem" role="alert">
            {t('connections.addServer.confirm.missing')}
          </p>
        )}
        {problem !== undefined && (
          <p className="connections-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function ExactCommand({ offer }: { readonly offer: CommandOffer }): ReactElement {
  const t = useT()
  const id = useId()
  const { transport } = offer.post
  return (
    <>
      <p className="connections-warning">
        <ShieldAlert size={16} aria-hidden="true" />
        {offer.isConfined ? t('connections.addServer.confirm.text') : t('connections.profile.unconfined')}
      </p>
      <div>
        <p id={`${id}-exact`} className="connections-label">
          {t('connections.addServer.confirm.exact')}
        </p>
        <pre className="connections-command" aria-labelledby={`${id}-exact`}>
          <code>{offer.command}</code>
        </pre>
      </div>
      {transport.type === 'stdio' && (
        <div>
          <p id={`${id}-parts`} className="connections-label">
            {t('connections.addServer.parts')}
          </p>
          <ol className="connections-parts" aria-labelledby={`${id}-parts`} dir="ltr">
            {[transport.command, ...transport.args].map((part, at) => (
              <li key={at}>
                <code>{part === '' ? '""' : part}</code>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  )
}
