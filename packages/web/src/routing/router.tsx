import { createContext, startTransition, use, useEffect, useMemo, useState } from 'react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { parsePath } from './route.ts'
import type { Route } from './route.ts'

export interface Router {
  readonly route: Route
  readonly path: string
  /** Counts how often the person went somewhere, also to the page that is shown. */
  readonly visit: number
  /** `replace` adds no entry to the browser's history. */
  readonly navigate: (path: string, options?: { readonly replace?: boolean }) => void
}

const RouterContext = createContext<Router>({
  route: { page: 'chat' },
  path: '/',
  visit: 0,
  navigate: () => undefined,
})

export function useRouter(): Router {
  return use(RouterContext)
}

/** Follows the address of the window. Without it, as in tests, `useRouter` stays at `/`. */
export function RouterProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [{ path, visit }, setPlace] = useState(() => ({ path: window.location.pathname, visit: 0 }))

  useEffect(() => {
    const follow = (): void =>
      startTransition(() => setPlace(({ visit: last }) => ({ path: window.location.pathname, visit: last })))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])

  const router = useMemo<Router>(
    () => ({
      path,
      visit,
      route: parsePath(path),
      navigate(to, options) {
        if (options?.replace) window.history.replaceState(null, '', to)
        else if (to !== window.location.pathname) window.history.pushState(null, '', to)
        // The current page stays visible until the next one is loaded.
        const next = new URL(to, window.location.href).pathname
        startTransition(() => setPlace(({ visit: last }) => ({ path: next, visit: last + 1 })))
      },
    }),
    [path, visit],
  )
  return <RouterContext value={router}>{children}</RouterContext>
}

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { readonly to: string }

/** A link inside the app. It has a real address, so it can be opened in a new tab. */
export function Link({ to, onClick, ...rest }: LinkProps): ReactElement {
  const { path, navigate } = useRouter()
  return (
    <a
      aria-current={path === to ? 'page' : undefined}
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        const isPlain =
          event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
        if (event.defaultPrevented || !isPlain) return
        event.preventDefault()
        navigate(to)
      }}
    />
  )
}
