import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'

/** Capstan without a ledger, as whoever only embeds the loop runs it: everything else is on. */
export const subject: Subject = capstanOn(createFakeModelClient, 'no store')
