import type { ReactElement } from 'react'

export function App(): ReactElement {
  return <main>Capstan</main>
}
