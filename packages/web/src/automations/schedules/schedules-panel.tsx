import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'

export function SchedulesPanel(): ReactElement {
  const t = useT()
  return <p>{t('schedules.title')}</p>
}
