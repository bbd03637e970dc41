/** The app that a notice is about. Notices are written for the model; these two kinds have a text for people. */
export interface AppChange {
  readonly name: string
  readonly change: 'connected' | 'gone'
}

const CONNECTED = /^The app (.+?) is connected now\b/
const GONE = /^The app (.+?)(?: \(toolkit "[^"]*"\))? is no longer connected\b/

export function readNotice(text: string): AppChange | undefined {
  const connected = CONNECTED.exec(text)?.[1]
  if (connected !== undefined) return { name: connected, change: 'connected' }
  const gone = GONE.exec(text)?.[1]
  return gone === undefined ? undefined : { name: gone, change: 'gone' }
}
