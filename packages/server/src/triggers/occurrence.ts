/** Something that happened, as its sender describes it. */
export interface Occurrence {
  /** The same for each delivery of the same occurrence. */
  readonly externalId: string
  readonly label: string
  readonly payload: string
}
