import type { SyncState } from './sync-state.ts'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'

/** One line about a sync. */
export function useSyncWords(): (state: SyncState, now: number) => string {
  const t = useT()
  const format = useFormatters()
  return (state, now) => {
    const when = (at: number): string => format.relative(at, now)
    switch (state.type) {
      case 'off':
        return t('sync.about')
      case 'soon':
        return t('sync.state.soon')
      case 'checking':
        return t('sync.state.checking')
      case 'running':
        return state.total === undefined
          ? t('sync.state.running', { done: state.done })
          : t('sync.state.runningOf', { done: state.done, total: state.total })
      case 'well':
        return t('sync.state.well', { when: when(state.doneAt), next: when(state.next) })
      case 'goes-on':
        return t('sync.state.goesOn', { done: state.done, next: when(state.next) })
      case 'used-up':
        return t(`sync.state.${state.what}`, { next: when(state.next) })
      case 'paused':
        return state.doneAt === undefined
          ? t('sync.state.paused')
          : t('sync.state.pausedAfter', { when: when(state.doneAt) })
      case 'sign-in':
        return t('sync.state.signIn')
      case 'reading':
        return t('sync.state.reading')
      case 'no-source':
        return t('sync.state.noSource')
      case 'failed': {
        const why = t(`failures.classes.${state.failure}.why`)
        return state.next === undefined
          ? t('sync.state.stopped', { why })
          : t('sync.state.again', { why, next: when(state.next) })
      }
    }
  }
}
