import { Compass } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Link } from '../routing/router.tsx'

export function NotFoundPage(): ReactElement {
  const t = useT()
  return (
    <>
      <h1 className="ui-visually-hidden">{t('shell.notFound.title')}</h1>
      <EmptyState
        icon={<Compass size={20} />}
        title={t('shell.notFound.title')}
        actions={
          <Link to="/" className="ui-button" data-variant="strong" data-size="md">
            {t('shell.notFound.action')}
          </Link>
        }
      >
        {t('shell.notFound.text')}
      </EmptyState>
    </>
  )
}
