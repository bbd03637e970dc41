import { fromAiSdk } from '@capstan/harness'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'

/** Capstan behind its AI SDK adapter, on the fake that AI SDK, Mastra and the floor get. */
export const subject: Subject = capstanOn((tape) => fromAiSdk(createFakeV4Model(tape)))
