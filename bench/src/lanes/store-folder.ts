export const STORE_FOLDER_VARIABLE = 'CAPSTAN_BENCH_STORE_FOLDER'

/**
 * Where the subject of this lane keeps its files: a folder of its own, on the same disk as everybody else's. It is
 * empty when the lane opens and gone when the lane is closed.
 */
export function storeFolder(): string {
  const folder = process.env[STORE_FOLDER_VARIABLE]
  if (!folder)
    throw new Error(`A subject that keeps files runs in a lane: ${STORE_FOLDER_VARIABLE} is not set`)
  return folder
}
