import type { z } from 'zod'

type Plain<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Element)[]
    ? Plain<Element>[]
    : Value extends object
      ? { -readonly [Key in keyof Value]-?: Plain<Exclude<Value[Key], undefined>> }
      : Value

type Same<One, Other> = [Plain<One>] extends [Plain<Other>]
  ? [Plain<Other>] extends [Plain<One>]
    ? unknown
    : never
  : never

/**
 * Marks a schema as the description of a protocol type. The compiler refuses a schema that differs from the type, optional
 * fields included. Its output has the protocol's type.
 */
export function describes<Type>() {
  return <Schema extends z.ZodType>(schema: Schema & Same<z.output<Schema>, Type>): z.ZodType<Type, Type> =>
    schema as unknown as z.ZodType<Type, Type>
}
