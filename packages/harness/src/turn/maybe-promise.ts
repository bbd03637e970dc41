/** A value, or a promise only where there is something to wait for. */
export type MaybePromise<Value> = Value | Promise<Value>
