import type { RunStatus } from '@capstan/protocol'
import { CircleCheck, CircleQuestionMark, CircleX, Hourglass, LoaderCircle, OctagonMinus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import type { Tone } from './waterfall/waterfall.ts'
import { toneOfStatus } from './waterfall/waterfall.ts'

const ICONS = {
  ok: CircleCheck,
  failed: CircleX,
  held: OctagonMinus,
  waiting: Hourglass,
  running: LoaderCircle,
  unknown: CircleQuestionMark,
} as const satisfies Record<Tone, unknown>

const BADGES = {
  ok: 'ok',
  failed: 'fail',
  held: 'warn',
  waiting: 'info',
  running: 'accent',
  unknown: 'neutral',
} as const satisfies Record<Tone, string>

/** The icon of a tone, so that colour is not the only signal. */
export function ToneIcon({ tone }: { readonly tone: Tone }): ReactElement {
  const Icon = ICONS[tone]
  return <Icon className="runs-tone-icon" data-tone={tone} size={16} aria-hidden="true" />
}

export function StatusBadge({ status }: { readonly status: RunStatus }): ReactElement {
  const t = useT()
  const tone = toneOfStatus(status)
  return (
    <Badge tone={BADGES[tone]} icon={<ToneIcon tone={tone} />}>
      {t(`runs.statuses.${status}`)}
    </Badge>
  )
}
