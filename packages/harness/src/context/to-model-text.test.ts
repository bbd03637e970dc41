import type { CallId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { ToolMessage } from '../turn/message/message.ts'
import { textOf } from '../turn/message/message.ts'
import { History } from './history.ts'

const result = (text: string, more: Partial<ToolMessage> = {}): ToolMessage => ({
  role: 'tool',
  callId: 'c1' as CallId,
  tool: 'page',
  ok: true,
  text,
  ...more,
})

describe('a result in the history', () => {
  it('is framed once, also when a compaction keeps it and a restart reads it again', () => {
    const history = new History([result('Rain.', { from: 'web' })])
    const [kept] = history.messages
    expect(textOf(kept!)).toBe('<untrusted source="web">\nRain.\n</untrusted>')
    history.replace([...history.messages], 'compaction')
    const stored = JSON.parse(JSON.stringify(history.messages)) as ToolMessage[]
    expect(new History(stored).messages).toEqual([kept])
  })

  it('from before frames existed stays byte for byte', () => {
    const old = result('Rain.')
    expect(new History([old]).messages[0]).toBe(old)
  })
})
