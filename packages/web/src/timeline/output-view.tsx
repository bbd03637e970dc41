import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useThreadScope } from '../state/thread-scope.ts'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { readArtifactId } from './read-artifact-id.ts'

const MAX_LINES = 12
const MAX_CHARS = 2000

/** The output of a call: the first lines, all lines on request, and the stored artifact where the output was cut. */
export function OutputView({
  output,
  bytes,
}: {
  readonly output: string
  readonly bytes: number
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const [isWhole, setWhole] = useState(false)
  const artifactId = readArtifactId(output)
  const lines = output.split('\n')
  const isLong = lines.length > MAX_LINES || output.length > MAX_CHARS
  const shown = isWhole || !isLong ? output : lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARS)
  return (
    <section className="timeline-part">
      <header>
        <p>{t('timeline.output')}</p>
        <CopyButton text={output} label={t('timeline.copy-output')} />
      </header>
      {output.trim() === '' ? (
        <p>{t('timeline.no-output')}</p>
      ) : (
        <pre className="timeline-code" tabIndex={0} data-cut={shown !== output || undefined}>
          {shown}
        </pre>
      )}
      {isLong && (
        <Button size="sm" variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('timeline.show-less') : t('timeline.show-all', { count: lines.length })}
        </Button>
      )}
      {artifactId !== undefined && <WholeOutput artifactId={artifactId} size={format.bytes(bytes)} />}
    </section>
  )
}

/** Loads an artifact in parts: an output may be too large for the page. */
function WholeOutput({
  artifactId,
  size,
}: {
  readonly artifactId: string
  readonly size: string
}): ReactElement {
  const t = useT()
  const api = useApi()
  const { threadId } = useThreadScope()
  const [read, setRead] = useState<{ readonly text: string; readonly next?: number }>()
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle')

  async function readOn(): Promise<void> {
    setState('reading')
    try {
      const part = await api.artifact(threadId, artifactId, { offset: read?.next ?? 0 })
      setRead({
        text: (read?.text ?? '') + part.text,
        ...(part.nextOffset === undefined ? undefined : { next: part.nextOffset }),
      })
      setState('idle')
    } catch {
      setState('failed')
    }
  }

  const isMore = read === undefined || read.next !== undefined
  return (
    <>
      {read && (
        <pre className="timeline-code" tabIndex={0}>
          {read.text}
        </pre>
      )}
      {state === 'failed' && <p role="alert">{t('timeline.whole-failed')}</p>}
      {isMore && (
        <Button size="sm" busy={state === 'reading'} onClick={() => void readOn()}>
          {read ? t('timeline.read-on') : t('timeline.open-whole', { size })}
        </Button>
      )}
    </>
  )
}
