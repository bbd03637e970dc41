// Which media types are images and which are text: a client and the harness must agree.

/** What a model reads by itself. Text files reach every model as text. */
export interface ModelReads {
  readonly images: boolean
  /** Media types of files, such as `application/pdf`. */
  readonly files: readonly string[]
}

/** Whether a media type is an image. */
export const isImageType = (mediaType: string): boolean => mediaType.startsWith('image/')

/** Whether a file of this type can be shown as text. */
export const isTextType = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|csv|javascript|typescript|sql)$/.test(mediaType.split(';')[0] ?? '')
