import { toFile } from './to-file.ts'

/**
 * A download that is made while it is sent. An error before its first part is a normal refusal; a later one breaks the
 * answer off, because its message would become part of the file.
 */
export async function streamFile(
  parts: AsyncGenerator<string>,
  mediaType: string,
  name: string,
  breakOff: (error: unknown) => void,
): Promise<Response> {
  let first: IteratorResult<string> | undefined = await parts.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = first ?? (await parts.next())
        first = undefined
        if (done) controller.close()
        else controller.enqueue(Buffer.from(value))
      } catch (error) {
        breakOff(error)
        controller.close()
      }
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
  return toFile(body, mediaType, name)
}
