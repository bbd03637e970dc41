/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}
