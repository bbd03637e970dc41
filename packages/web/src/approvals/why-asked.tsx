import type { ReactElement } from 'react'
import type { ApprovalReason, FlowReason, ReadSource } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'

/** Why a call asks although the mode would allow it. */
export function WhyAsked({ reason }: { readonly reason: ApprovalReason }): ReactElement {
  const t = useT()
  return (
    <div className="approvals-why">
      <h3>{t('approvals.reason.title')}</h3>
      {reason.kind === 'repeat' ? <p>{t('approvals.reason.repeat')}</p> : <Flow reason={reason} />}
    </div>
  )
}

/** The texts that may have led to the call, and where it would send something. */
function Flow({ reason: { sources, destinations } }: { readonly reason: FlowReason }): ReactElement {
  const t = useT()
  return (
    <>
      <p>{t('approvals.reason.about')}</p>
      <ul>
        {sources.map((source) => (
          <li key={`${source.tool} ${source.app} ${source.name}`} dir="auto" title={source.name}>
            <Source source={source} />
          </li>
        ))}
      </ul>
      {destinations.length > 0 && (
        <p>
          {t('approvals.reason.destinations')}: <code dir="auto">{destinations.join(', ')}</code>
        </p>
      )}
    </>
  )
}

function Source({ source: { tool, app, name } }: { readonly source: ReadSource }): ReactElement {
  const t = useT()
  const host = name === undefined ? undefined : hostOf(name)
  if (host !== undefined) return <>{t('approvals.reason.after-page', { host })}</>
  if (app !== undefined) return <>{t('approvals.reason.after-app', { app })}</>
  if (name !== undefined) return <>{t('approvals.reason.after-named', { name })}</>
  return <>{t('approvals.reason.after-tool', { tool })}</>
}

function hostOf(name: string): string | undefined {
  return /^https?:/i.test(name) && URL.canParse(name) ? new URL(name).host : undefined
}
