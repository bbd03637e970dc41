/** Whether the same request may work a moment later, as far as the status alone can tell. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}
