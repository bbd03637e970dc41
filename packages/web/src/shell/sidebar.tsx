import {
  Activity,
  Bookmark,
  Keyboard,
  PanelLeftClose,
  Plug,
  Search,
  Settings,
  SquarePen,
  Zap,
} from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Kbd } from '../ui/keyboard/kbd.tsx'
import { Mark } from '../ui/theme/mark.tsx'
import type { Waiting } from '../notifications/use-waiting.ts'
import { WaitingMenu } from '../notifications/waiting-menu.tsx'
import { Link, useRouter } from '../routing/router.tsx'
import { StopEverything } from './stop-everything.tsx'
import { ThreadNav } from './threads/thread-nav.tsx'

export interface SidebarProps {
  readonly onSearch: () => void
  readonly onHelp: () => void
  /** Absent where the sidebar cannot be hidden. */
  readonly onHide?: () => void
  readonly waiting: Waiting
  /** The person opened a page: on a phone the sheet closes. */
  readonly onGo?: () => void
}

const PAGES = [
  { page: 'connections', icon: <Plug aria-hidden="true" /> },
  { page: 'memory', icon: <Bookmark aria-hidden="true" /> },
  { page: 'automations', icon: <Zap aria-hidden="true" /> },
  { page: 'runs', icon: <Activity aria-hidden="true" /> },
  { page: 'settings', icon: <Settings aria-hidden="true" /> },
] as const

export function Sidebar({ onSearch, onHelp, onHide, waiting, onGo }: SidebarProps): ReactElement {
  const t = useT()
  const { route } = useRouter()
  return (
    <div className="shell-sidebar">
      <header className="shell-head">
        <div className="shell-brand">
          <Link to="/" className="shell-brand-link" onClick={onGo} aria-current={undefined}>
            <Mark />
            <span>{t('shell.name')}</span>
          </Link>
          <IconButton label={t('shell.help')} size="sm" onClick={onHelp}>
            <Keyboard aria-hidden="true" />
          </IconButton>
          {onHide && (
            <IconButton label={t('shell.hideSidebar')} size="sm" onClick={onHide}>
              <PanelLeftClose className="ui-mirrored" aria-hidden="true" />
            </IconButton>
          )}
        </div>
        <div className="shell-start">
          <Link to="/" className="shell-new" onClick={onGo}>
            <SquarePen aria-hidden="true" />
            {t('shell.threads.new')}
          </Link>
          <button type="button" className="shell-search" onClick={onSearch}>
            <Search aria-hidden="true" />
            <span>{t('shell.threads.search')}</span>
            <span className="shell-keys" aria-hidden="true">
              <Kbd keys="mod+k" />
            </span>
          </button>
        </div>
      </header>
      <ThreadNav onGo={onGo} />
      <nav className="shell-pages" aria-label={t('shell.pages')}>
        <WaitingMenu waiting={waiting} onGo={onGo} />
        {PAGES.map(({ page, icon }) => (
          <Link
            key={page}
            to={`/${page}`}
            className="shell-page-link"
            aria-current={route.page === page ? 'page' : undefined}
            onClick={onGo}
          >
            {icon}
            {t(`shell.${page}`)}
          </Link>
        ))}
        <StopEverything />
      </nav>
    </div>
  )
}
