import { Component } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { useRouter } from '../routing/router.tsx'

interface PageBoundaryProps {
  readonly children: ReactNode
}

/** Catches errors of a page, so that the rest of the app keeps working. Give it a key that changes with the page. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children
    return <BrokenPage onRetry={() => this.setState({ isBroken: false })} />
  }
}

function BrokenPage({ onRetry }: { readonly onRetry: () => void }): ReactElement {
  const t = useT()
  const { navigate } = useRouter()
  return (
    <ErrorState
      title={t('shell.crash.title')}
      onRetry={onRetry}
      actions={
        <>
          <Button onClick={() => window.location.reload()}>{t('shell.crash.reload')}</Button>
          <Button variant="quiet" onClick={() => navigate('/')}>
            {t('shell.notFound.action')}
          </Button>
        </>
      }
    >
      {t('shell.crash.text')}
    </ErrorState>
  )
}
