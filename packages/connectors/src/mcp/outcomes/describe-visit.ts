import type { WantedVisit } from '../errors.ts'

/** Tells a model that a server wanted to open a page, and that the page was not opened. Pure. */
export const describeVisit = ({ url, message }: WantedVisit): string =>
  `The server wanted to send the person to ${url}${message === '' ? '' : ` (its message: ${message})`}. ` +
  'That page was not opened, and the request was declined. Whoever trusts the address can open it and try again.'
