import { defineTool, fail } from '@capstan/harness'

/** What time it is, here or in another time zone. */
export const clock = defineTool({
  name: 'clock',
  description: 'The current date and time.',
  input: {
    type: 'object',
    properties: {
      zone: { type: 'string', description: 'An IANA time zone such as Europe/Oslo. Default: the local one.' },
    },
  },
  effect: 'read',
  polls: true,
  label: ({ zone }) => ({
    label: 'Look at the clock',
    ...(typeof zone === 'string' ? { detail: zone } : undefined),
  }),
  run({ zone }) {
    const timeZone = typeof zone === 'string' ? { timeZone: zone } : undefined
    try {
      const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', ...timeZone })
      return format.format(new Date())
    } catch {
      return fail('There is no time zone of that name.', { errorCode: 'invalid_arguments' })
    }
  },
})
