/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Whether it is an object with named fields; a list is none. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it has parts: an object or a list. */
export const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
