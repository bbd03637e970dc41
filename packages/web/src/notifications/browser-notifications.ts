const KEY = 'capstan.notifications'

/** `off`: not wanted. `blocked`: the browser refuses, or does not have them. */
export type NotificationState = 'on' | 'off' | 'blocked'

/** Whether this browser shows notifications of Capstan. The choice is kept in the browser. */
export function notificationState(): NotificationState {
  if (typeof Notification === 'undefined' || Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readChoice() === 'on' ? 'on' : 'off'
}

/** Asks the browser for permission when they are switched on. Answers the new state. */
export async function switchNotifications(isOn: boolean): Promise<NotificationState> {
  if (isOn && typeof Notification !== 'undefined') await Notification.requestPermission()
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off')
  } catch {
    // Without storage they stay off.
  }
  return notificationState()
}

/** Shows one. `onClick` also brings the page to the front. */
export function showNotification(id: string, title: string, onClick: () => void): void {
  let shown: Notification
  try {
    // The same tag on two pages of the browser is one notification.
    shown = new Notification(title, { tag: id })
  } catch {
    return // Some phones allow them only from a service worker.
  }
  shown.addEventListener('click', () => {
    window.focus()
    onClick()
    shown.close()
  })
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
