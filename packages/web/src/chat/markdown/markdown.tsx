import { lazy, memo, Suspense, useDeferredValue } from 'react'
import type { ReactElement } from 'react'
import { splitBlocks } from './split-blocks.ts'

/** A large part that the first picture does not need. */
const MarkdownBlock = lazy(async () => ({ default: (await import('./markdown-block.tsx')).MarkdownBlock }))

/** Markdown that may still be growing: only the block that grows is parsed again. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactElement {
  // Whoever types goes first: the words of the answer come a picture later then.
  const shown = useDeferredValue(text)
  return (
    <div className="chat-markdown" dir="auto">
      <Suspense fallback={<p className="chat-plain">{shown}</p>}>
        {splitBlocks(shown).map((block, index) => (
          <MarkdownBlock key={index} text={block} />
        ))}
      </Suspense>
    </div>
  )
})
