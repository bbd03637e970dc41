import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from './icon-button.tsx'
import { useToast } from '../overlays/toast.tsx'

export interface CopyButtonProps {
  /** A function is called when the button is pressed. */
  readonly text: string | (() => string)
  /** The label, where "Copy" is not clear enough. */
  readonly label?: string
}

export function CopyButton({ text, label }: CopyButtonProps): ReactElement {
  const t = useT()
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
    } catch {
      toast({ text: t('ui.copyFailed'), tone: 'fail' })
    }
  }

  return (
    <>
      <IconButton
        label={isCopied ? t('ui.copied') : (label ?? t('ui.copy'))}
        size="sm"
        onClick={() => void copy()}
      >
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      </IconButton>
      <span className="ui-visually-hidden" role="status">
        {isCopied ? t('ui.copied') : ''}
      </span>
    </>
  )
}
