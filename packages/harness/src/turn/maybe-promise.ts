/** A value, or a promise only where there is something to wait for. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Handles a rejection that somebody else reports, or that nobody needs to know. */
export const ignore = (): void => {}
