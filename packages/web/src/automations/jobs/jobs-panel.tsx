import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'

export function JobsPanel(): ReactElement {
  const t = useT()
  return <p>{t('jobs.title')}</p>
}
