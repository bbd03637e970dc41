import type { ComponentProps, ReactElement } from 'react'
import { memo } from 'react'
import ReactMarkdown from 'react-markdown'
import type { Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { useT } from '../../i18n/use-t.ts'
import { CodeBlock } from './code-block.tsx'

/**
 * One block of Markdown from a stranger: a model, or a tool through it. HTML in it is shown as text, links leave
 * without telling where from, and nothing is fetched: an image is only named.
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
  // The boxes of a task list: nobody can tick them here.
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
}

function SafeLink({ href, children }: ComponentProps<'a'>): ReactElement {
  if (href === undefined || href === '') return <span>{children}</span>
  // A foot note's mark leads somewhere on this page, and nowhere else.
  if (href.startsWith('#')) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href} dir="auto">
      {children}
    </a>
  )
}

/** To load it would tell a stranger that, and when, this was read. */
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
