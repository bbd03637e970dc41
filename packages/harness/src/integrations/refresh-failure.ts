/** What is known of a user's apps could not be brought up to date. Names only: what a service said is not passed on. */
export interface RefreshFailure {
  /** Which apps there are, or what one of them can do. */
  readonly what: 'apps' | 'actions'
  readonly userId: string
  /** The connector that could not be asked, or `store`. */
  readonly source: string
  readonly toolkit?: string
}

/** Since the start of the process. */
export interface IntegrationsCounts {
  /** Lists of apps that were asked for. */
  readonly refreshes: number
  /** Sources that did not answer then. */
  readonly refreshFailures: number
  readonly actionLists: number
  readonly actionListFailures: number
}
