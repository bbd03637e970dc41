import type { MemoryItemRow } from '@capstan/protocol'
import { ExternalLink } from 'lucide-react'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { toSafeLink } from '../safe-link.ts'

/** The app of an item, and its account where it has one. */
export function AppName({ app, account }: Pick<MemoryItemRow, 'app' | 'account'>): ReactElement {
  return (
    <>
      <bdi>{app}</bdi>
      {account !== undefined && account !== '' && (
        <>
          {' · '}
          <bdi>{account}</bdi>
        </>
      )}
    </>
  )
}

/** Leads to where the item is in its app. Not drawn without an address of the web. */
export function AppLink({ app, link }: Pick<MemoryItemRow, 'app' | 'link'>): ReactElement | null {
  const t = useT()
  const href = toSafeLink(link)
  if (href === undefined) return null
  return (
    <a className="memory-link" href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      <ExternalLink className="ui-mirrored" aria-hidden="true" />
      {t('memory.items.open', { app: isolate(app) })}
    </a>
  )
}
