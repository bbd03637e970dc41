import type { Confinement, ModelTest, Settings, SettingsPatch } from '@capstan/protocol'
import { z } from 'zod'
import { failure, milliseconds, queueMode } from './common.ts'
import { describes } from './describes.ts'

const modelProvider = z.enum(['openai', 'anthropic', 'google', 'compatible'])

const keySource = z.enum(['settings', 'environment'])

const safetyMode = z.enum(['read-only', 'supervised', 'full'])

const shellMode = z.enum(['off', 'ask', 'on'])

const theme = z.enum(['system', 'light', 'dark'])

export const settings = describes<Settings>()(
  z.strictObject({
    model: z.string(),
    modelInUse: z.strictObject({
      name: z.string(),
      isDemo: z.boolean(),
      from: z.enum(['settings', 'environment', 'demo']),
      reads: z.strictObject({ images: z.boolean(), files: z.array(z.string()) }),
    }),
    modelKeys: z.array(z.strictObject({ provider: modelProvider, from: keySource.optional() })),
    embeddingModel: z.string(),
    embeddingInUse: z.strictObject({ name: z.string(), from: keySource }).optional(),
    safetyMode,
    roots: z.array(z.string()),
    sharedRoots: z.array(z.string()),
    shell: shellMode,
    shellHosts: z.array(z.string()),
    hosts: z.array(z.string()),
    queueMode,
    language: z.string(),
    theme,
    reduceMotion: z.boolean(),
    composio: z.strictObject({ isSet: z.boolean() }),
    dataFolder: z.string(),
    version: z.string(),
    demoApp: z.boolean(),
    held: z.strictObject({ scope: z.enum(['own', 'everybody']), at: milliseconds }).optional(),
    diskFull: z.literal(true).optional(),
  }),
).meta({ id: 'Settings' })

export const settingsPatch = describes<SettingsPatch>()(
  z.strictObject({
    model: z.string().max(300).optional(),
    embeddingModel: z.string().max(300).optional(),
    modelKeys: z
      .strictObject({
        openai: z.string().max(2000).optional(),
        anthropic: z.string().max(2000).optional(),
        google: z.string().max(2000).optional(),
        compatible: z.string().max(2000).optional(),
      })
      .optional(),
    safetyMode: safetyMode.optional(),
    roots: z.array(z.string().max(4096)).max(64).optional(),
    sharedRoots: z.array(z.string().max(4096)).max(64).optional(),
    shell: shellMode.optional(),
    shellHosts: z.array(z.string().max(300)).max(64).optional(),
    hosts: z.array(z.string().max(300)).max(500).optional(),
    queueMode: queueMode.optional(),
    language: z.string().max(35).optional(),
    theme: theme.optional(),
    reduceMotion: z.boolean().optional(),
    composioKey: z.string().max(2000).optional(),
  }),
)

export const confinement = describes<Confinement>()(
  z.strictObject({
    state: z.enum(['works', 'unavailable', 'off']),
    found: z.string(),
    next: z.string().optional(),
  }),
)

export const modelTest = describes<ModelTest>()(
  z.strictObject({
    ok: z.boolean(),
    model: z.string(),
    durationMs: milliseconds,
    failure: failure.optional(),
  }),
)
