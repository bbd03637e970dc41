export const STORE_FOLDER_VARIABLE = 'CAPSTAN_BENCH_STORE_FOLDER'

/**
 * The folder for the files of the subject of this lane, on the same disk for all lanes. It is empty when the lane opens
 * and removed when the lane closes.
 */
export function storeFolder(): string {
  const folder = process.env[STORE_FOLDER_VARIABLE]
  if (!folder) throw new Error(`A subject with files must run in a lane: ${STORE_FOLDER_VARIABLE} is not set`)
  return folder
}
