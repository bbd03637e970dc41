import '../memory.css'
import type { RunId } from '@capstan/protocol'
import { Bookmark } from 'lucide-react'
import { useRef } from 'react'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { Link } from '../../routing/router.tsx'
import { useRefocus } from '../use-refocus.ts'
import { ProposedFact } from './proposed-fact.tsx'
import { useFacts } from './use-facts.ts'

/** The facts that a turn proposed, below its answer: open ones as cards, answered ones as a line. */
export function TurnFacts({ runs }: { readonly runs: ReadonlyMap<RunId, unknown> }): ReactElement | null {
  const t = useT()
  const facts = useFacts()
  const place = useRef<HTMLElement>(null)
  const refocus = useRefocus(place)
  const own =
    facts.data?.facts.filter(({ origin: { runId } }) => runId !== undefined && runs.has(runId)) ?? []
  if (own.length === 0) return null
  return (
    <section className="memory-turn" ref={place} tabIndex={-1} aria-label={t('memory.tabs.facts')}>
      {own.some(({ status }) => status === 'proposed') && (
        <h2 className="memory-turn-title">
          <Bookmark size={16} aria-hidden="true" />
          {t('memory.card.title')}
        </h2>
      )}
      {own.toReversed().map((fact) =>
        fact.status === 'proposed' ? (
          <div key={fact.id} className="memory-card">
            <ProposedFact
              fact={fact}
              isHere
              onChange={(patch) => {
                refocus()
                return facts.change(fact, patch)
              }}
            />
          </div>
        ) : (
          <p key={fact.id} className="memory-soft">
            {t(`memory.card.${fact.status}`, { text: isolate(fact.text) })}
          </p>
        ),
      )}
      <Link to="/memory/facts">{t('memory.card.page')}</Link>
    </section>
  )
}
