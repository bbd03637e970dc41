/** Why the text of a file cannot be read. */
export interface DocumentProblem {
  readonly class: 'too_large' | 'invalid_input'
  /** Continues "the file …". */
  readonly problem: string
}

/** Thrown inside the reader for a file that is refused. */
export class DocumentError extends Error {
  readonly class: DocumentProblem['class']

  constructor(failureClass: DocumentProblem['class'], problem: string) {
    super(problem)
    this.class = failureClass
  }
}

export const damaged = (): DocumentError =>
  new DocumentError('invalid_input', 'is damaged, or is not what its type says')
