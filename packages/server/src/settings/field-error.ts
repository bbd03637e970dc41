import { ConfigurationError } from '@capstan/harness'
import type { FieldProblem } from '@capstan/protocol'

const MAX_SHOWN_CHARS = 200

/** The refusal of one field. Screens word it by `problem`; its sentence is for programs and the terminal. */
export const fieldError = (field: string, problem: FieldProblem): ConfigurationError =>
  new ConfigurationError(field, describe(problem), problem)

function describe(problem: FieldProblem): string {
  const shown = 'value' in problem ? `"${problem.value.slice(0, MAX_SHOWN_CHARS)}"` : ''
  switch (problem.kind) {
    case 'not-absolute':
      return 'must be an absolute path'
    case 'not-a-folder':
      return `${shown} is not a folder that can be read`
    case 'own-data':
      return `${shown} holds the assistant's own data folder; choose one that does not`
    case 'not-a-host':
      return `${shown} is not a host such as example.com or *.example.com`
    case 'host-too-wide':
      return `${shown} is too wide: name a domain of your own`
    case 'not-a-variable':
      return `${shown} must be the name of a variable, without its value`
    case 'no-host':
      return 'name at least one host'
    case 'too-many':
      return `must be at most ${problem.most}`
    case 'length':
      return `must have ${problem.least} to ${problem.most} characters`
    case 'bad-name':
      return `may hold letters, digits, dots, hyphens and underscores, at most ${problem.most}`
    case 'taken':
      return `${shown} exists already`
    case 'not-a-key':
      return 'does not look like a key'
    case 'when-unclear':
      return 'is not clear. Say it in English, such as "every weekday at 8" or "every 2 hours", or give a cron line with five fields, such as "0 8 * * 1-5"'
    case 'when-no-time':
      return 'does not say at what time, such as "at 8:00"'
    case 'when-mixed':
      return 'has times with different minutes. Add a schedule for each'
    case 'when-often':
      return 'is too often: at most every 15 minutes'
    case 'when-never':
      return 'never comes'
    case 'bad-zone':
      return 'is not a time zone. Use an IANA name such as Europe/Berlin, or UTC'
  }
}
