import type { ScheduleOutcome } from '@capstan/protocol'
import { CircleCheck, CircleMinus, CircleX, Hourglass, LoaderCircle, OctagonMinus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Badge } from '../../ui/feedback/badge.tsx'

const LOOKS = {
  running: { tone: 'accent', Icon: LoaderCircle },
  waits: { tone: 'info', Icon: Hourglass },
  done: { tone: 'ok', Icon: CircleCheck },
  capped: { tone: 'warn', Icon: OctagonMinus },
  failed: { tone: 'fail', Icon: CircleX },
  missed: { tone: 'warn', Icon: CircleMinus },
  gone: { tone: 'neutral', Icon: CircleMinus },
} as const satisfies Record<ScheduleOutcome, unknown>

export function OutcomeBadge({ outcome }: { readonly outcome: ScheduleOutcome }): ReactElement {
  const t = useT()
  const { tone, Icon } = LOOKS[outcome]
  return (
    <Badge tone={tone} icon={<Icon size={14} aria-hidden="true" />}>
      {t(`schedules.outcomes.${outcome}`)}
    </Badge>
  )
}
