// `setInterval` fires at once for a longer delay.
const LONGEST_MS = 2 ** 31 - 1

/**
 * Keeps the process alive until the returned function is called. Without it, a program that awaits code which never
 * answers ends with exit code 13 and says nothing: a pending promise alone does not keep Node running.
 */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, LONGEST_MS)
  return () => clearInterval(timer)
}
