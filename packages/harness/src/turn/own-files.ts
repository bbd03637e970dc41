// The one place that knows where the files of this package are. Its sources lie in folders; a built package has all of
// its modules in `dist`, and its workers in `dist/workers`.
const EXTENSION = import.meta.url.slice(-3)
const isSource = EXTENSION === '.ts'

/** The folder of this package. */
export const PACKAGE_FOLDER = new URL(isSource ? '../../' : '../', import.meta.url)

/** The address of a program that runs in a thread or a process of its own. Named by its path in `src`, without extension. */
export function workerAddress(path: string): URL {
  const place = isSource ? `../${path}` : `./workers/${path.slice(path.lastIndexOf('/') + 1)}`
  return new URL(place + EXTENSION, import.meta.url)
}
