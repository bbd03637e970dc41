import type { MarkedText } from '@capstan/protocol'
import type { ReactElement } from 'react'

/** Text of others with what was searched for marked. Never more than text. */
export function MarkedLine({ parts }: { readonly parts: readonly MarkedText[] }): ReactElement {
  return <>{parts.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}</>
}
