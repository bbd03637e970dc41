import type {
  TriggerAction,
  TriggerDetail,
  TriggerExampleList,
  TriggerPage,
  TriggerSettings,
  TriggerSource,
  TriggerSourceCreated,
  TriggerSourceFields,
  TriggerSourceList,
  TriggerSourcePost,
} from '@capstan/protocol'
import type { Sender } from './sender.ts'
import { route } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** What happens while nobody looks. */
export interface TriggersApi {
  /** Newest first. `after`: the `next` of the page before. */
  triggers(
    query?: Options & {
      readonly source?: string
      readonly action?: TriggerAction
      readonly after?: string
      readonly limit?: number
    },
  ): Promise<TriggerPage>
  trigger(triggerId: string, options?: Options): Promise<TriggerDetail>
  /** Says what would have been right. */
  correctTrigger(
    triggerId: string,
    feedback: { readonly right: TriggerAction; readonly note?: string },
    options?: Options,
  ): Promise<TriggerDetail>
  triggerSources(options?: Options): Promise<TriggerSourceList>
  /** A secret that is made is only in this answer. */
  addTriggerSource(source: TriggerSourcePost, options?: Options): Promise<TriggerSourceCreated>
  changeTriggerSource(
    sourceId: string,
    patch: Partial<TriggerSourceFields>,
    options?: Options,
  ): Promise<TriggerSource>
  /** Without a secret one is made. */
  replaceTriggerSecret(sourceId: string, secret?: string, options?: Options): Promise<TriggerSourceCreated>
  removeTriggerSource(sourceId: string, options?: Options): Promise<void>
  /** Sends a trigger as if the source had called. */
  testTriggerSource(sourceId: string, payload?: string, options?: Options): Promise<TriggerDetail>
  triggerExamples(sourceId: string, options?: Options): Promise<TriggerExampleList>
  removeTriggerExample(triggerId: string, options?: Options): Promise<void>
  changeTriggerSettings(patch: Partial<TriggerSettings>, options?: Options): Promise<TriggerSettings>
}

export function triggersApi({ json, nothing }: Sender): TriggersApi {
  return {
    triggers: ({ signal, ...query } = {}) => json('GET', '/api/triggers', { signal, query }),
    trigger: (triggerId, given) => json('GET', route`/api/triggers/${triggerId}`, given),
    correctTrigger: (triggerId, body, given) =>
      json('POST', route`/api/triggers/${triggerId}/feedback`, { ...given, body }),
    triggerSources: (given) => json('GET', '/api/trigger-sources', given),
    addTriggerSource: (body, given) => json('POST', '/api/trigger-sources', { ...given, body }),
    changeTriggerSource: (sourceId, body, given) =>
      json('PATCH', route`/api/trigger-sources/${sourceId}`, { ...given, body }),
    replaceTriggerSecret: (sourceId, secret, given) =>
      json('POST', route`/api/trigger-sources/${sourceId}/secret`, { ...given, body: { secret } }),
    removeTriggerSource: (sourceId, given) =>
      nothing('DELETE', route`/api/trigger-sources/${sourceId}`, given),
    testTriggerSource: (sourceId, payload, given) =>
      json('POST', route`/api/trigger-sources/${sourceId}/test`, { ...given, body: { payload } }),
    triggerExamples: (sourceId, given) =>
      json('GET', route`/api/trigger-sources/${sourceId}/examples`, given),
    removeTriggerExample: (triggerId, given) =>
      nothing('DELETE', route`/api/triggers/${triggerId}/example`, given),
    changeTriggerSettings: (body, given) => json('PATCH', '/api/trigger-settings', { ...given, body }),
  }
}
