import { lazy, memo, Suspense, useDeferredValue } from 'react'
import type { ReactElement } from 'react'
import { splitBlocks } from './split-blocks.ts'

/** Loaded later: it is large and the first paint does not need it. */
const MarkdownBlock = lazy(async () => ({ default: (await import('./markdown-block.tsx')).MarkdownBlock }))

/** Markdown that may still grow: only the last block is parsed again. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactElement {
  // Typing has priority: the text of the answer is drawn one frame later.
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
