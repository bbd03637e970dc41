import './shell.css'
import './threads/threads.css'
import './search/search.css'
import { Menu as MenuIcon, PanelLeftOpen, SquarePen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useNotify } from '../notifications/use-notify.ts'
import { useWaiting } from '../notifications/use-waiting.ts'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { useRouter } from '../routing/router.tsx'
import { Sheet } from '../ui/overlays/sheet.tsx'
import { useShortcut } from '../ui/keyboard/shortcuts.tsx'
import { useUndoNewest } from '../ui/overlays/toast.tsx'
import { DiskBanner } from './disk-banner.tsx'
import { HoldBanner } from './stop-everything.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { HelpSheet } from './help-sheet.tsx'
import { SearchDialog } from './search/search-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useDocumentTitle } from './use-document-title.ts'
import { useIsNarrow } from './use-is-narrow.ts'

/** The frame around every page: sidebar, banner, search and help. */
export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const t = useT()
  const { path, navigate } = useRouter()
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useState<'menu' | 'search' | 'help'>()
  const [isSidebarShown, setSidebarShown] = useSidebarShown()
  const main = useRef<HTMLElement>(null)
  const title = useDocumentTitle()
  const waiting = useWaiting()
  useNotify(waiting.items) // here, because the sidebar may be hidden
  const close = (): void => setOpen(undefined)

  useShortcut('mod+k', t('shell.shortcuts.search'), () => setOpen('search'))
  useShortcut('mod+shift+o', t('shell.shortcuts.newChat'), () => navigate('/'))
  useShortcut('[', t('shell.shortcuts.sidebar'), () => {
    if (isNarrow) setOpen('menu')
    else setSidebarShown(!isSidebarShown)
  })
  useShortcut('g h', t('shell.shortcuts.goHome'), () => navigate('/'))
  useShortcut('g c', t('shell.shortcuts.goConnections'), () => navigate('/connections'))
  useShortcut('g m', t('shell.shortcuts.goMemory'), () => navigate('/memory'))
  useShortcut('g a', t('shell.shortcuts.goAutomations'), () => navigate('/automations'))
  useShortcut('g r', t('shell.shortcuts.goRuns'), () => navigate('/runs'))
  useShortcut('g s', t('shell.shortcuts.goSettings'), () => navigate('/settings'))
  useShortcut('z', t('shell.shortcuts.undo'), useUndoNewest())
  useShortcut('?', t('shell.shortcuts.help'), () => setOpen('help'))
  useShortcut('Escape', t('shell.shortcuts.close'))

  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    // A focus inside the page stays; after a link outside of it the focus moves to the top of the page.
    if (!main.current?.contains(document.activeElement)) main.current?.focus()
  }, [path])

  const hasBar = isNarrow || !isSidebarShown
  const sidebar = (
    <Sidebar
      waiting={waiting}
      onSearch={() => setOpen('search')}
      onHelp={() => setOpen('help')}
      onHide={isNarrow ? undefined : () => setSidebarShown(false)}
      onGo={isNarrow ? close : undefined}
    />
  )

  return (
    <div className="shell" data-bar={hasBar || undefined}>
      <a className="shell-skip" href="#main" onClick={() => main.current?.focus()}>
        {t('shell.skip')}
      </a>
      {hasBar ? (
        <header className="shell-bar">
          {isNarrow ? (
            <IconButton
              label={t('shell.openMenu')}
              aria-haspopup="dialog"
              aria-expanded={open === 'menu'}
              onClick={() => setOpen('menu')}
            >
              <MenuIcon aria-hidden="true" />
            </IconButton>
          ) : (
            <IconButton label={t('shell.showSidebar')} onClick={() => setSidebarShown(true)}>
              <PanelLeftOpen className="ui-mirrored" aria-hidden="true" />
            </IconButton>
          )}
          <span className="shell-bar-title" dir="auto">
            {title}
          </span>
          <IconButton label={t('shell.threads.new')} onClick={() => navigate('/')}>
            <SquarePen aria-hidden="true" />
          </IconButton>
        </header>
      ) : (
        sidebar
      )}
      <div className="shell-column">
        <ConnectionBanner />
        <HoldBanner />
        <DiskBanner />
        <main ref={main} id="main" className="shell-main" tabIndex={-1} aria-label={title}>
          {children}
        </main>
      </div>
      <Sheet open={isNarrow && open === 'menu'} onClose={close} label={t('shell.menu')}>
        {sidebar}
      </Sheet>
      <SearchDialog open={open === 'search'} onClose={close} />
      <HelpSheet open={open === 'help'} onClose={close} />
    </div>
  )
}

/** Whether the sidebar is shown, as on the last visit. */
function useSidebarShown(): [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(() => readFlag(SIDEBAR_KEY) !== 'hidden')
  return [
    isShown,
    (wanted) => {
      setShown(wanted)
      try {
        localStorage.setItem(SIDEBAR_KEY, wanted ? 'shown' : 'hidden')
      } catch {
        // Without storage the sidebar is shown on the next visit.
      }
    },
  ]
}

const SIDEBAR_KEY = 'capstan.sidebar'

function readFlag(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
