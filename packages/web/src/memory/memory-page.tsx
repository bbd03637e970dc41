import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Page } from '../ui/surfaces/page.tsx'

export function MemoryPage(): ReactElement {
  const t = useT()
  return <Page title={t('memory.title')}>{undefined}</Page>
}
