import type { z } from 'zod'
import { ApiError } from '../api-error.ts'

/** The parsed value. Throws `invalid` with the name of the first invalid field. */
export function checkInput(schema: z.ZodType, value: unknown): unknown {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const path = [...(issue?.path ?? [])]
  if (issue?.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '')
  const field = path.map(String).join('.').slice(0, 100)
  const what = issue?.code === 'unrecognized_keys' ? 'is not known' : (issue?.message ?? 'is not accepted')
  throw new ApiError('invalid', `${field || 'body'}: ${what}`, { field: field || 'body' })
}
