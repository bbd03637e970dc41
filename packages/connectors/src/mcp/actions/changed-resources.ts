/** What a server said has changed and nobody has looked at yet. However often it says so, a resource is in it once. */
export interface ChangedResources {
  /** Without an address: the list has changed. */
  add(uri: string | undefined): void
  /** Waits for the next one. The list comes first. Rejects from `end` on. */
  next(): Promise<{ readonly uri?: string }>
  end(reason: Error): void
}

/** At most so many addresses wait: a server can make up any number of them. */
export function createChangedResources(most: number): ChangedResources {
  const uris = new Set<string>()
  let isListChanged = false
  let reason: Error | undefined
  let wake = (): void => {}

  function take(): { readonly uri?: string } | undefined {
    if (reason) throw reason
    if (isListChanged) {
      isListChanged = false
      return {}
    }
    const [uri] = uris
    if (uri === undefined) return undefined
    uris.delete(uri)
    return { uri }
  }

  return {
    add(uri) {
      if (uri === undefined) isListChanged = true
      else if (uris.size < most) uris.add(uri)
      wake()
    },
    async next() {
      for (;;) {
        const taken = take()
        if (taken) return taken
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    end(why) {
      reason ??= why
      wake()
    },
  }
}
