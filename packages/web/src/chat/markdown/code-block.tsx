import { isValidElement } from 'react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'

/** A block of code, with its language and a button that copies it. */
export function CodeBlock({ children }: ComponentProps<'pre'>): ReactElement {
  const t = useT()
  return (
    <div className="chat-code">
      <div className="chat-code-head">
        <span>{languageOf(children)}</span>
        <CopyButton text={() => textOf(children).replace(/\n$/, '')} label={t('chat.copy-code')} />
      </div>
      <pre tabIndex={0}>{children}</pre>
    </div>
  )
}

function languageOf(code: ReactNode): string {
  if (!isValidElement<{ readonly className?: string }>(code)) return ''
  return /\blanguage-([\w+#.-]+)/.exec(code.props.className ?? '')?.[1] ?? ''
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textOf(node.props.children) : ''
}
