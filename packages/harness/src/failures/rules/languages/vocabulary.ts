/**
 * How programs and services of one language say why something failed: stems as alternatives of a pattern, one to a
 * line, in lower case.
 */
export interface Vocabulary {
  readonly approvalExpired: string
  readonly deniedByUser: string
  readonly policy: string
  readonly missingApp: string
  readonly certificate: string
  readonly timeout: string
  readonly quota: string
  readonly rateLimit: string
  readonly tooLarge: string
  readonly notConnected: string
  readonly credentials: string
  readonly syntax: string
  readonly clash: string
  readonly permission: string
  readonly conflict: string
  readonly unreachable: string
  readonly notFound: string
  readonly unsupported: string
  readonly cancelled: string
  readonly invalid: string
}
