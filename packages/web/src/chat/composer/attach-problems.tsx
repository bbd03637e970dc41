import { X } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { AttachProblem } from './attachments.ts'

/** Why files were left out, or why the message has to wait. */
export function AttachProblems({
  problems,
  isHeld,
  onDismiss,
}: {
  readonly problems: readonly AttachProblem[]
  readonly isHeld: boolean
  readonly onDismiss: () => void
}): ReactElement | null {
  const t = useT()
  const words = useAttachWords()
  if (problems.length === 0 && !isHeld) return null
  return (
    <div className="chat-problems" role="alert">
      <div>
        {isHeld && <p>{t('chat.attach.not-now')}</p>}
        {problems.map((problem) => (
          <p key={`${problem.type}:${problem.name}`}>{words(problem)}</p>
        ))}
      </div>
      {problems.length > 0 && (
        <IconButton label={t('ui.dismiss')} size="sm" onClick={onDismiss}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

function useAttachWords(): (problem: AttachProblem) => string {
  const t = useT()
  const format = useFormatters()
  return (problem) => {
    const { name } = problem
    switch (problem.type) {
      case 'too-large':
      case 'together':
        return t(`chat.attach.${problem.type}`, { name, limit: format.bytes(problem.limit) })
      case 'too-many-images':
      case 'too-many-files':
        return t(`chat.attach.${problem.type}`, { name, count: problem.count })
      case 'empty':
      case 'unreadable':
      case 'no-images':
      case 'unsupported':
        return t(`chat.attach.${problem.type}`, { name })
    }
  }
}
