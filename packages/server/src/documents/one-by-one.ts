/** Runs the work under a name after all earlier work under it. */
export type OneByOne = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>

export function createOneByOne(): OneByOne {
  const tails = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const done = (tails.get(name) ?? Promise.resolve()).then(work)
    const tail = done
      .catch(() => undefined)
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name)
      })
    tails.set(name, tail)
    return done
  }
}
