import type { ComponentProps, ReactElement } from 'react'
import { memo } from 'react'
import ReactMarkdown from 'react-markdown'
import type { Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { useT } from '../../i18n/use-t.ts'
import { CodeBlock } from './code-block.tsx'

/**
 * One block of untrusted Markdown, from a model or from a tool through it. HTML is shown as text, links send no
 * referrer, and nothing is fetched: of an image only the name is shown.
 */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { readonly text: string }): ReactElement {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  )
})

const PLUGINS = [remarkGfm]

const COMPONENTS: Components = {
  a: SafeLink,
  img: NamedImage,
  pre: CodeBlock,
  table: ({ children }) => (
    <div className="chat-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // The check boxes of a task list cannot be ticked here.
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
}

function SafeLink({ href, children }: ComponentProps<'a'>): ReactElement {
  if (href === undefined || href === '') return <span>{children}</span>
  // A footnote mark links to a place on this page only.
  if (href.startsWith('#')) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href} dir="auto">
      {children}
    </a>
  )
}

/** Loading an image would tell its host that, and when, the message was read. */
function NamedImage({ alt, src }: ComponentProps<'img'>): ReactElement {
  const t = useT()
  const name = alt === undefined || alt === '' ? t('chat.image-plain') : t('chat.image', { name: alt })
  if (typeof src !== 'string' || src === '') return <span className="chat-image">{name}</span>
  return (
    <a className="chat-image" href={src} target="_blank" rel="noopener noreferrer nofollow" title={src}>
      {name}
    </a>
  )
}
