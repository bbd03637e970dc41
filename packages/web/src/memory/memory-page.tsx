import './memory.css'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { toPath } from '../routing/route.ts'
import type { MemoryTab } from '../routing/route.ts'
import { useRouter } from '../routing/router.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Tabs } from '../ui/surfaces/tabs.tsx'
import { FactsPanel } from './facts/facts-panel.tsx'
import { ProposedFacts } from './facts/proposed-facts.tsx'
import { useFacts } from './facts/use-facts.ts'
import { ItemsPanel } from './items/items-panel.tsx'

/** What was read from apps, and what is known about the person. */
export function MemoryPage({ tab }: { readonly tab: MemoryTab }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { navigate } = useRouter()
  const facts = useFacts()
  const accepted = facts.data?.facts.filter(({ status }) => status === 'accepted').length ?? 0
  return (
    <Page title={t('memory.title')} description={t('memory.intro')} width="wide">
      <ProposedFacts facts={facts} />
      <Tabs
        label={t('memory.title')}
        value={tab}
        onValueChange={(value) => navigate(toPath({ page: 'memory', tab: value as MemoryTab }))}
        tabs={[
          { value: 'items', title: t('memory.tabs.items'), content: <ItemsPanel /> },
          {
            value: 'facts',
            title: (
              <>
                {t('memory.tabs.facts')}{' '}
                {accepted > 0 && <span className="memory-count">{format.number(accepted)}</span>}
              </>
            ),
            content: <FactsPanel facts={facts} />,
          },
        ]}
      />
    </Page>
  )
}
