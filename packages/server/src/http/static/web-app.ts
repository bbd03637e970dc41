import { fileURLToPath } from 'node:url'

/** The built web app that comes with this package. Undefined in the repository, where the sources are built when needed. */
export const findWebApp = (): string | undefined =>
  import.meta.url.endsWith('.ts') ? undefined : fileURLToPath(new URL('./web/', import.meta.url))
