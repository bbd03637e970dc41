import type { ExtraName, MeasuredExtra } from './extra.ts'
import { measureLedger } from './measure-ledger.ts'
import { measureStages } from './measure-stages.ts'
import { measureTelemetry } from './measure-telemetry.ts'

const MEASURES: Readonly<Record<ExtraName, () => Promise<MeasuredExtra>>> = {
  stages: measureStages,
  ledger: measureLedger,
  telemetry: measureTelemetry,
}

export function measureExtra(extra: ExtraName): Promise<MeasuredExtra> {
  return MEASURES[extra]()
}
