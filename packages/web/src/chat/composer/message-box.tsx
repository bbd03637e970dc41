import { Paperclip } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ClipboardEvent, KeyboardEvent, ReactElement, RefObject } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'

/** Opens the browser's own dialog to choose files. */
export function AttachButton({
  onFiles,
}: {
  readonly onFiles: (files: readonly File[]) => void
}): ReactElement {
  const t = useT()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={t('chat.composer.attach')} onClick={() => picker.current?.click()}>
        <Paperclip aria-hidden="true" />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

/** The text of a message. It grows with the text and takes pasted files. */
export function MessageBox({
  box,
  text,
  placeholder,
  onText,
  onFiles,
  onKeyDown,
}: {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly placeholder: string
  readonly onText: (text: string) => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
}): ReactElement {
  const t = useT()

  // With a keyboard, the box takes the focus; on a phone the keyboard would cover half of the page.
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.id === 'main'
    if (isFree && window.matchMedia?.('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [box])

  useEffect(() => {
    const element = box.current
    if (!element) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [box, text])

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData
    // A table copied from a spreadsheet also comes as a picture: the text is what was meant.
    if (files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    onFiles([...files])
  }

  return (
    <textarea
      ref={box}
      rows={1}
      dir="auto"
      aria-label={t('chat.composer.label')}
      placeholder={placeholder}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  )
}
