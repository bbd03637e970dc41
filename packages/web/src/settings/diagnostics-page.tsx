import './settings.css'
import type { DiagnosticCheck } from '@capstan/protocol'
import { CircleCheck, CircleX, RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import type { FindingWords } from './use-finding-words.ts'
import { useFindingWords } from './use-finding-words.ts'
import { useApi, useConnectionState } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'

const LOOKS = {
  ok: { tone: 'ok', icon: <CircleCheck aria-hidden="true" /> },
  warning: { tone: 'warn', icon: <TriangleAlert aria-hidden="true" /> },
  failed: { tone: 'fail', icon: <CircleX aria-hidden="true" /> },
} as const

/** The order of the checks: problems first. */
const ORDER = { failed: 0, warning: 1, ok: 2 } as const

export function DiagnosticsPage(): ReactElement {
  const t = useT()
  const api = useApi()
  const reason = useReason()
  const connection = useConnectionState()
  const toWords = useFindingWords()
  const { data, error, isLoading, reload } = useLoaded('diagnostics', (signal) => api.diagnostics({ signal }))
  const checks = (data?.checks ?? []).toSorted((one, other) => ORDER[one.state] - ORDER[other.state])
  const count = checks.filter(({ state }) => state !== 'ok').length

  return (
    <Page
      title={t('settings.diagnostics.title')}
      description={t('settings.diagnostics.description')}
      actions={
        <>
          {checks.length > 0 && (
            <CopyButton text={() => toReport(checks)} label={t('settings.diagnostics.copy')} />
          )}
          <Button icon={<RefreshCw aria-hidden="true" />} busy={isLoading} onClick={reload}>
            {t('settings.diagnostics.again')}
          </Button>
        </>
      }
    >
      <p role="status" className="settings-verdict">
        {data === undefined
          ? isLoading && t('settings.diagnostics.checking')
          : count === 0
            ? t('settings.diagnostics.allOk')
            : t('settings.diagnostics.problems', { count })}
      </p>
      {data === undefined && isLoading && <Skeleton lines={8} />}
      {error && (
        <ErrorState title={t('settings.diagnostics.failed')} onRetry={reload}>
          {reason(error)}
        </ErrorState>
      )}
      <ul role="list" className="settings-checks">
        {checks.map((check) => (
          <CheckRow
            key={check.id}
            name={t(`problems.checks.${check.id}.name`)}
            about={t(`problems.checks.${check.id}.about`)}
            state={check.state}
            words={toWords(check)}
          />
        ))}
        <CheckRow
          name={t('settings.diagnostics.browser')}
          about={t('settings.diagnostics.browserAbout')}
          state={connection === 'online' ? 'ok' : 'failed'}
          words={{
            found: t(
              connection === 'online'
                ? 'settings.diagnostics.browserOnline'
                : 'settings.diagnostics.browserOffline',
            ),
          }}
        />
      </ul>
    </Page>
  )
}

interface CheckRowProps {
  readonly name: string
  readonly about: string
  readonly state: DiagnosticCheck['state']
  readonly words: FindingWords
}

function CheckRow({ name, about, state, words }: CheckRowProps): ReactElement {
  const t = useT()
  const { tone, icon } = LOOKS[state]
  // A passed check needs one line; a problem gets a block with its next step.
  const isShort = state === 'ok' && words.next === undefined
  return (
    <li className="settings-check" data-state={state}>
      <div className="settings-check-head">
        <h2>{name}</h2>
        {isShort && (
          <p className="settings-small">
            <span dir="auto">{words.found}</span>
          </p>
        )}
        <Badge tone={tone} icon={icon}>
          {t(`problems.states.${state}`)}
        </Badge>
      </div>
      {!isShort && (
        <>
          <p className="settings-small">{about}</p>
          <dl className="settings-facts">
            <dt>{t('settings.diagnostics.found')}</dt>
            <dd>
              <span dir="auto">{words.found}</span>
            </dd>
            {words.next !== undefined && (
              <>
                <dt>{t('settings.diagnostics.next')}</dt>
                <dd>
                  <span dir="auto">{words.next}</span>
                </dd>
              </>
            )}
          </dl>
        </>
      )}
    </li>
  )
}

/** The server's own text in English, for support. */
function toReport(checks: readonly DiagnosticCheck[]): string {
  return checks
    .map(({ id, state, found, next }) => [
      `${state.padEnd(7)} ${id}: ${found}`,
      ...(next ? [`        ${next}`] : []),
    ])
    .flat()
    .join('\n')
}
