import type { SecretPut, SecretRow } from '@capstan/protocol'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { milliseconds } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'

const secretRow = describes<SecretRow>()(
  z.strictObject({ name: z.string(), hosts: z.array(z.string()), createdAt: milliseconds }),
)
const secretPut = describes<SecretPut>()(
  z.strictObject({ value: z.string().max(8_000), hosts: z.array(z.string().max(253)).max(20) }),
)
const name = z.string().min(1).max(64)

const listSecrets = defineRoute({
  method: 'GET',
  path: '/api/secrets',
  summary: 'The named secrets of the user, without their values.',
  rights: 'user',
  answer: z.strictObject({ secrets: z.array(secretRow) }),
  handle: ({ assistant, caller }) => ({ secrets: [...assistant.secrets.list(caller.userId)] }),
})

const putSecret = defineRoute({
  method: 'PUT',
  path: '/api/secrets/:name',
  summary: 'Stores a secret under a name, for calls to these hosts. Replaces one of the same name.',
  rights: 'user',
  params: { name },
  body: secretPut,
  example: { value: 'an-example-value', hosts: ['api.example.com'] },
  answer: secretRow,
  handle: ({ assistant, caller, params, body }) => assistant.secrets.put(caller.userId, params.name, body),
})

const removeSecret = defineRoute({
  method: 'DELETE',
  path: '/api/secrets/:name',
  summary: 'Deletes a named secret.',
  rights: 'user',
  params: { name },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.secrets.remove(caller.userId, params.name))) throw notFound()
  },
})

export const SECRET_ROUTES = [listSecrets, putSecret, removeSecret]
