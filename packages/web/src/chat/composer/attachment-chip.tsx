import { FileText, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { Attachment } from './attachments.ts'
import { isImage } from './attachments.ts'

/** A file in a message that is being written. */
export function AttachmentChip({
  attachment,
  onRemove,
}: {
  readonly attachment: Attachment
  readonly onRemove: () => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { name, bytes, mediaType, data } = attachment
  return (
    <li className="chat-attachment">
      {isImage(mediaType) ? (
        <img src={`data:${mediaType};base64,${data}`} alt="" />
      ) : (
        <FileText aria-hidden="true" />
      )}
      <span className="chat-attachment-name" dir="auto">
        {name}
      </span>
      <span className="ui-figures">{format.bytes(bytes)}</span>
      <IconButton label={t('chat.composer.remove', { name })} size="sm" onClick={onRemove}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}
