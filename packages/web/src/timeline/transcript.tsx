import { FileText } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useOpened } from '../state/thread-scope.ts'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'

/** The stored conversation of a sub-agent. It is read when it is opened. */
export function Transcript({ runId }: { readonly runId: string }): ReactElement {
  const t = useT()
  const [isShown, setShown] = useOpened(`transcript:${runId}`, false)
  return (
    <Disclosure
      open={isShown}
      onOpenChange={setShown}
      summary={
        <span className="timeline-call-line">
          <FileText className="timeline-icon" aria-hidden="true" />
          <span className="timeline-label">{t('timeline.transcript')}</span>
        </span>
      }
    >
      {isShown && <TranscriptText runId={runId} />}
    </Disclosure>
  )
}

function TranscriptText({ runId }: { readonly runId: string }): ReactElement {
  const t = useT()
  const api = useApi()
  const { data, error } = useLoaded(`transcript ${runId}`, (signal) => api.transcript(runId, { signal }))
  if (data !== undefined)
    return (
      <pre className="timeline-code" tabIndex={0} dir="auto">
        {data}
      </pre>
    )
  return error ? <p role="alert">{t('timeline.whole-failed')}</p> : <Skeleton lines={4} />
}
