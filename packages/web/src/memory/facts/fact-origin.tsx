import type { FactOrigin as Origin } from '@capstan/protocol'
import { ExternalLink, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Link } from '../../routing/router.tsx'
import { toPath } from '../../routing/route.ts'
import { toSafeLink } from '../safe-link.ts'

/** Where a fact is from: the conversation in which it was proposed, and the app that it was read in. */
export function FactOrigin({
  origin: { threadId, runId, app, link },
  isHere = false,
}: {
  readonly origin: Origin
  /** It is shown in that conversation, which needs no link then. */
  readonly isHere?: boolean
}): ReactElement {
  const t = useT()
  const href = toSafeLink(link)
  const appWords = app === undefined ? undefined : t('memory.facts.app', { app: isolate(app) })
  return (
    <>
      {threadId !== undefined && !isHere && (
        <Link to={toPath({ page: 'chat', threadId, ...(runId !== undefined && { runId }) })}>
          {t('memory.facts.thread')}
        </Link>
      )}
      {appWords !== undefined &&
        (href === undefined ? (
          <span>{appWords}</span>
        ) : (
          <a
            className="memory-link"
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            title={href}
          >
            <ExternalLink className="ui-mirrored" aria-hidden="true" />
            {appWords}
          </a>
        ))}
      {threadId === undefined && app === undefined && <span>{t('memory.facts.own')}</span>}
    </>
  )
}

/** Warns of a proposal that others may have caused. */
export function FactWarning({ origin }: { readonly origin: Origin }): ReactElement | null {
  const t = useT()
  if (!origin.isUntrusted) return null
  return (
    <p className="memory-warning">
      <TriangleAlert size={16} aria-hidden="true" />
      {t('memory.facts.warning')}
    </p>
  )
}
