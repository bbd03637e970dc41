import { Suspense, lazy } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRouter } from '../routing/router.tsx'
import { AUTOMATION_TABS, toPath } from '../routing/route.ts'
import type { AutomationTab } from '../routing/route.ts'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Tabs } from '../ui/surfaces/tabs.tsx'

const PANELS = {
  activity: lazy(async () => ({ default: (await import('./activity/activity-panel.tsx')).ActivityPanel })),
  triggers: lazy(async () => ({ default: (await import('./triggers/triggers-panel.tsx')).TriggersPanel })),
  schedules: lazy(async () => ({
    default: (await import('./schedules/schedules-panel.tsx')).SchedulesPanel,
  })),
  jobs: lazy(async () => ({ default: (await import('./jobs/jobs-panel.tsx')).JobsPanel })),
} as const

/** What is done while nobody looks: what happened, what starts work, schedules and jobs. */
export function AutomationsPage({ tab }: { readonly tab: AutomationTab }): ReactElement {
  const t = useT()
  const { navigate } = useRouter()
  return (
    <Page title={t('shell.automations')} width="wide">
      <Tabs
        label={t('shell.automations')}
        value={tab}
        onValueChange={(value) => navigate(toPath({ page: 'automations', tab: value as AutomationTab }))}
        tabs={AUTOMATION_TABS.map((value) => {
          const Panel = PANELS[value]
          return {
            value,
            title: t(`${value}.title`),
            content: (
              <Suspense fallback={<Skeleton lines={4} />}>
                <Panel />
              </Suspense>
            ),
          }
        })}
      />
    </Page>
  )
}
