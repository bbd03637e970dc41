import { FileText } from 'lucide-react'
import { memo } from 'react'
import type { ReactElement } from 'react'
import type { AttachmentRef } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useThreadScope } from '../state/thread-scope.ts'
import type { Turn } from '@capstan/client'
import { Time } from '../ui/text/time.tsx'
import { isImage } from './composer/attachments.ts'

/** The message of the user, and what they added while the turn ran. */
export const UserMessage = memo(function UserMessage({ turn }: { readonly turn: Turn }): ReactElement {
  const t = useT()
  if (turn.text === '' && turn.attachments.length === 0)
    return (
      <p className="chat-continued">
        <span>{t('chat.continued')}</span>
      </p>
    )
  return (
    <article className="chat-user" aria-label={t('chat.you')}>
      <div className="chat-bubble">
        {turn.attachments.length > 0 && <SentFiles attachments={turn.attachments} />}
        <p dir="auto">{turn.text}</p>
      </div>
      {turn.additions.map(({ key, text }) => (
        <div key={key} className="chat-bubble" data-added>
          <span className="chat-added">{t('chat.added')}</span>
          <p dir="auto">{text}</p>
        </div>
      ))}
      <span className="chat-when">
        <Time at={turn.startedAt} form={isToday(turn.startedAt) ? 'time' : 'date-time'} />
      </span>
    </article>
  )
})

function SentFiles({ attachments }: { readonly attachments: readonly AttachmentRef[] }): ReactElement {
  const t = useT()
  const api = useApi()
  const { threadId } = useThreadScope()
  return (
    <ul className="chat-attachments" role="list">
      {attachments.map(({ name = t('chat.image-plain'), mediaType, ref }, index) => (
        <li key={ref ?? index} className="chat-attachment">
          {isImage(mediaType) && ref !== undefined ? (
            <img src={api.mediaUrl(threadId, ref)} alt={name} loading="lazy" />
          ) : (
            <FileText aria-hidden="true" />
          )}
          <span className="chat-attachment-name" dir="auto">
            {name}
          </span>
        </li>
      ))}
    </ul>
  )
}

const isToday = (at: number): boolean => new Date(at).toDateString() === new Date().toDateString()
