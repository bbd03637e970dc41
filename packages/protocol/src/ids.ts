declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

/** A conversation a user sees. */
export type ThreadId = Id<'thread'>
/** One execution of the engine: a turn, or a sub-agent inside one. */
export type RunId = Id<'run'>
/** One tool call. Unique within its run; two runs of a thread may use the same one. */
export type CallId = Id<'call'>
