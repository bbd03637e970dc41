import { useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useRefocus } from '../use-refocus.ts'
import { ProposedFact } from './proposed-fact.tsx'
import type { Facts } from './use-facts.ts'

/** More of them would push everything else off the screen. */
const FEW = 3

/** What the assistant proposes to remember, above everything else of the page. Not drawn when there is nothing. */
export function ProposedFacts({ facts }: { readonly facts: Facts }): ReactElement | null {
  const t = useT()
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const refocus = useRefocus(title)
  const [isAll, setAll] = useState(false)
  const proposed = facts.data?.facts.filter(({ status }) => status === 'proposed') ?? []
  if (proposed.length === 0) return null
  const shown = isAll ? proposed : proposed.slice(0, FEW)
  return (
    <section className="memory-section" aria-labelledby={id}>
      <div>
        <h2 id={id} ref={title} tabIndex={-1}>
          {t('memory.facts.proposed')}
        </h2>
        <p className="memory-soft">{t('memory.facts.proposedHint')}</p>
      </div>
      <ul role="list" className="memory-proposed" aria-labelledby={id}>
        {shown.map((fact) => (
          <li key={fact.id} className="memory-card">
            <ProposedFact
              fact={fact}
              onChange={(patch) => {
                refocus()
                return facts.change(fact, patch)
              }}
            />
          </li>
        ))}
      </ul>
      {shown.length < proposed.length && (
        <Button className="memory-more" size="sm" onClick={() => setAll(true)}>
          {t('memory.facts.showAll')}
        </Button>
      )}
    </section>
  )
}
