import './settings.css'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRights } from '../socket/me-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { AllowedSection } from './allowed-section.tsx'
import { DataSection } from './data-section.tsx'
import { HostsSection } from './hosts-section.tsx'
import { LookSection } from './look-section.tsx'
import { LoginsSection } from './logins-section.tsx'
import { MembersSection } from './members-section.tsx'
import { ModelSection } from './model-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { QueueSection } from './queue-section.tsx'
import { RootsSection } from './roots-section.tsx'
import { SafetySection } from './safety-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { SpendingSection } from './spending-section.tsx'
import { ShellSection } from './shell-section.tsx'
import { useSettings } from './settings-context.tsx'

export function SettingsPage(): ReactElement {
  const t = useT()
  const reason = useReason()
  const { settings, error, reload } = useSettings()
  const rights = useRights()
  return (
    <Page title={t('settings.title')}>
      {settings && rights ? (
        <>
          <ModelSection settings={settings} />
          <SafetySection settings={settings} />
          <RootsSection settings={settings} />
          <ShellSection settings={settings} />
          <HostsSection settings={settings} />
          <AllowedSection />
          <SecretsSection />
          <SpendingSection />
          <LoginsSection />
          {rights.manageMembers && <MembersSection />}
          <QueueSection settings={settings} />
          <NotificationsSection />
          <LookSection settings={settings} />
          <DataSection settings={settings} />
        </>
      ) : error ? (
        <ErrorState title={t('settings.loadFailed')} onRetry={reload}>
          {reason(error)}
        </ErrorState>
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}
