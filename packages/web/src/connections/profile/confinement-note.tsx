import { ShieldAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'

/** Says when programs are not confined on this machine, or cannot be. Draws nothing when all is well. */
export function ConfinementNote(): ReactElement | null {
  const t = useT()
  const api = useApi()
  const { data } = useLoaded('sandbox', (signal) => api.sandbox({ signal }))
  if (!data || data.state === 'works') return null
  return (
    <div className="connections-warning" role="note">
      <ShieldAlert size={16} aria-hidden="true" />
      <div>
        <p>
          {data.state === 'off' ? t('connections.profile.unconfined') : t('connections.profile.unavailable')}
        </p>
        <p>
          <span dir="auto" lang="en">
            {[data.found, data.next].filter(Boolean).join(' ')}
          </span>
        </p>
      </div>
    </div>
  )
}
