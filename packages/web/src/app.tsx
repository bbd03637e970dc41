import { Direction } from 'radix-ui'
import { Suspense, lazy } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useLanguage } from './i18n/use-language.ts'
import { useLanguageSetting } from './i18n/use-language-setting.ts'
import { SettingsProvider, useSettings } from './settings/settings-context.tsx'
import { LoginAgainDialog } from './shell/login-again-dialog.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PageBoundary } from './shell/page-boundary.tsx'
import { Shell } from './shell/shell.tsx'
import { SignedOutPage } from './shell/signed-out-page.tsx'
import { ThreadsProvider } from './shell/threads/threads-context.tsx'
import type { Server } from './socket/open-server.ts'
import { MeProvider } from './socket/me-context.tsx'
import { ServerProvider, useConnectionState } from './socket/server-context.tsx'
import { RouterProvider, useRouter } from './routing/router.tsx'
import type { Route } from './routing/route.ts'
import { ShortcutProvider } from './ui/keyboard/shortcuts.tsx'
import { Skeleton } from './ui/feedback/skeleton.tsx'
import { ToastProvider } from './ui/overlays/toast.tsx'

const ChatPage = lazy(async () => ({ default: (await import('./chat/chat-page.tsx')).ChatPage }))
const ConnectionsPage = lazy(async () => ({
  default: (await import('./connections/connections-page.tsx')).ConnectionsPage,
}))
const MemoryPage = lazy(async () => ({ default: (await import('./memory/memory-page.tsx')).MemoryPage }))
const AutomationsPage = lazy(async () => ({
  default: (await import('./automations/automations-page.tsx')).AutomationsPage,
}))
const RunsPage = lazy(async () => ({ default: (await import('./runs/runs-page.tsx')).RunsPage }))
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}))
const DiagnosticsPage = lazy(async () => ({
  default: (await import('./settings/diagnostics-page.tsx')).DiagnosticsPage,
}))

export function App({ server }: { readonly server: Server }): ReactElement {
  return (
    <ServerProvider {...server}>
      <SettingsProvider>
        <LanguageProvider>
          <RouterProvider>
            <ShortcutProvider>
              <ToastProvider>
                <MeProvider>
                  <ThreadsProvider>
                    <Shell>
                      <CurrentPage />
                    </Shell>
                    <LoginAgainDialog />
                  </ThreadsProvider>
                </MeProvider>
              </ToastProvider>
            </ShortcutProvider>
          </RouterProvider>
        </LanguageProvider>
      </SettingsProvider>
    </ServerProvider>
  )
}

/** Draws nothing until the texts of the reader's language are loaded. */
function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { settings } = useSettings()
  const { dir } = useLanguage()
  const isReady = useLanguageSetting(settings?.language)
  // Arrow keys and the sides of menus follow the direction, too.
  return isReady ? <Direction.Provider dir={dir}>{children}</Direction.Provider> : null
}

function CurrentPage(): ReactElement {
  const { route } = useRouter()
  const { settings } = useSettings()
  // A person who is signed out in the middle of something keeps what is on the screen.
  if (useConnectionState() === 'signed-out' && !settings) return <SignedOutPage />
  return (
    <PageBoundary key={route.page}>
      <Suspense
        fallback={
          <div className="shell-loading">
            <Skeleton lines={6} />
          </div>
        }
      >
        {pageOf(route)}
      </Suspense>
    </PageBoundary>
  )
}

function pageOf(route: Route): ReactElement {
  switch (route.page) {
    case 'chat': {
      const { threadId, runId, callId } = route
      return <ChatPage threadId={threadId} runId={runId} callId={callId} />
    }
    case 'connections':
      return <ConnectionsPage />
    case 'memory':
      return <MemoryPage tab={route.tab} />
    case 'automations':
      return <AutomationsPage tab={route.tab} />
    case 'runs':
      return <RunsPage runId={route.runId} />
    case 'settings':
      return <SettingsPage />
    case 'diagnostics':
      return <DiagnosticsPage />
    case 'not-found':
      return <NotFoundPage />
  }
}
