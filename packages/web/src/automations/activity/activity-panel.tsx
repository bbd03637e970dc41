import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'

export function ActivityPanel(): ReactElement {
  const t = useT()
  return <p>{t('activity.title')}</p>
}
