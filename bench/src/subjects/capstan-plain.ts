import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'

/** Capstan without a ledger, as a program that only embeds the loop. Everything else is on. */
export const subject: Subject = capstanOn(createFakeModelClient, 'no store')
