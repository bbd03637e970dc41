import type { TriggerSource } from '@capstan/protocol'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** What was said to be wrong about a source, and what of it the model sees. */
export function ExamplesDialog({
  source,
  onChanged,
  onClose,
}: {
  readonly source: TriggerSource
  readonly onChanged: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const { data, error, reload } = useLoaded(`examples ${source.id}`, (signal) =>
    api.triggerExamples(source.id, { signal }),
  )
  const [problem, setProblem] = useState<string>()

  async function remove(triggerId: string): Promise<void> {
    setProblem(undefined)
    try {
      await api.removeTriggerExample(triggerId)
      onChanged()
      reload()
    } catch (refusal) {
      setProblem(toReason(refusal))
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('triggers.examples.title', { name: source.name })}>
      <div className="triggers-form">
        <p className="triggers-soft">{t('triggers.examples.text')}</p>
        {problem !== undefined && (
          <p className="triggers-problem" role="alert">
            {problem}
          </p>
        )}
        {!data && (error ? <ErrorState onRetry={reload}>{toReason(error)}</ErrorState> : <Skeleton />)}
        {data?.examples.length === 0 && <p>{t('triggers.examples.none')}</p>}
        <ul role="list" className="triggers-examples">
          {data?.examples.map(({ triggerId, label, right, note, isShown }) => (
            <li key={triggerId}>
              <div>
                <p dir="auto">{label}</p>
                <p className="triggers-facts">
                  <span>{t('activity.wrong.said', { right: t(`activity.rights.${right}`) })}</span>
                  {note !== undefined && <bdi dir="auto">{note}</bdi>}
                  {!isShown && <Badge>{t('triggers.examples.kept')}</Badge>}
                </p>
              </div>
              <IconButton
                label={t('triggers.examples.remove', { label })}
                size="sm"
                onClick={() => void remove(triggerId)}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
