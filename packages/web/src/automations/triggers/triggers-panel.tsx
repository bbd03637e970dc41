import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'

export function TriggersPanel(): ReactElement {
  const t = useT()
  return <p>{t('triggers.title')}</p>
}
