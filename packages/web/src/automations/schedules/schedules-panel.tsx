import './schedules.css'
import type { ScheduleRow } from '@capstan/protocol'
import { CalendarClock, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { AskDialog } from '../../connections/ask-dialog.tsx'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { ScheduleDialog } from './form/schedule-dialog.tsx'
import { ScheduleCard } from './schedule-card.tsx'
import { useSchedules } from './use-schedules.ts'

/** What the person is doing in a dialog. */
type Task = { readonly type: 'add' } | { readonly type: 'edit' | 'delete'; readonly schedule: ScheduleRow }

/** The schedules: what runs when, and what came of it. */
export function SchedulesPanel(): ReactElement {
  const t = useT()
  const toReason = useReason()
  const schedules = useSchedules()
  const toast = useToast()
  const [task, setTask] = useState<Task>()
  const heading = useRef<HTMLParagraphElement>(null)
  const { data, error, reload } = schedules
  const deleted = useRef<string>(undefined)

  // The button that had the focus is gone with its schedule.
  useEffect(() => {
    if (deleted.current === undefined || data?.some(({ id }) => id === deleted.current)) return
    deleted.current = undefined
    heading.current?.focus()
  }, [data])

  const add = (
    <Button variant="strong" icon={<Plus aria-hidden="true" />} onClick={() => setTask({ type: 'add' })}>
      {t('schedules.add')}
    </Button>
  )
  return (
    <div className="schedules">
      <div className="schedules-head">
        <p ref={heading} className="schedules-soft" tabIndex={-1}>
          {t('schedules.intro')}
        </p>
        {data && data.length > 0 && add}
      </div>
      {data && data.length === 0 && <NoSchedules add={add} />}
      {data?.map((schedule) => (
        <ScheduleCard
          key={schedule.id}
          schedule={schedule}
          onSteer={(action) => schedules.steer(schedule, action)}
          onEdit={() => setTask({ type: 'edit', schedule })}
          onDelete={() => setTask({ type: 'delete', schedule })}
        />
      ))}
      {!data && error && (
        <ErrorState title={t('schedules.loadFailed')} onRetry={reload}>
          {toReason(error)}
        </ErrorState>
      )}
      {!data && !error && <Skeleton lines={6} />}
      {task && task.type !== 'delete' && (
        <ScheduleDialog
          schedule={task.type === 'edit' ? task.schedule : undefined}
          onSaved={({ title }) => {
            toast({ text: t(`schedules.done.${task.type}`, { title }) })
            reload()
          }}
          onClose={() => setTask(undefined)}
        />
      )}
      {task?.type === 'delete' && (
        <AskDialog
          title={t('schedules.deleteAsk.title', { title: task.schedule.title })}
          confirm={t('schedules.actions.delete')}
          onConfirm={async () => {
            await schedules.remove(task.schedule)
            deleted.current = task.schedule.id
          }}
          onClose={() => setTask(undefined)}
        >
          {t('schedules.deleteAsk.text')}
        </AskDialog>
      )}
    </div>
  )
}

const EXAMPLES = ['mail', 'week', 'news'] as const

/** What one can say in a conversation, and how to add one here. */
function NoSchedules({ add }: { readonly add: ReactElement }): ReactElement {
  const t = useT()
  return (
    <EmptyState
      icon={<CalendarClock size={20} aria-hidden="true" />}
      title={t('schedules.empty.title')}
      actions={
        <>
          {add}
          <Link className="ui-button" to={toPath({ page: 'chat' })}>
            {t('schedules.empty.chat')}
          </Link>
        </>
      }
    >
      <p>{t('schedules.empty.text')}</p>
      <ul role="list" className="schedules-examples">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <q>{t(`schedules.empty.examples.${example}`)}</q>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
