import { lazy, Suspense } from 'react'
import type { ReactElement } from 'react'

const ScheduleProposal = lazy(async () => ({
  default: (await import('../automations/schedules/schedule-proposal.tsx')).ScheduleProposal,
}))

/** The arguments of a call that a person can be told in words. They stand above the exact ones, and never instead of them. */
export function KnownArguments({
  tool,
  value,
}: {
  readonly tool: string
  readonly value: unknown
}): ReactElement | null {
  if (tool !== 'propose_schedule' || !isProposal(value)) return null
  return (
    <Suspense fallback={null}>
      <ScheduleProposal prompt={value.prompt} when={value.when} zone={value.zone} />
    </Suspense>
  )
}

interface Proposal {
  readonly prompt: string
  readonly when: string
  readonly zone?: string
}

function isProposal(value: unknown): value is Proposal {
  if (typeof value !== 'object' || value === null) return false
  const { prompt, when, zone } = value as Partial<Record<string, unknown>>
  return (
    typeof prompt === 'string' && typeof when === 'string' && (zone === undefined || typeof zone === 'string')
  )
}
