import { defineTool } from '@capstan/harness'
import { WELCOME_PROMPTS } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { nextReply } from './demo-script.ts'

const offered = [
  'connect_app',
  'delegate_to_integrations_agent',
  'delegate_to_researcher',
  'delegate_to_planner',
].map((name) => defineTool({ name, description: '', input: { type: 'object' }, run: () => '' }))

describe('the prompts of the welcome page', () => {
  it.each([
    ...WELCOME_PROMPTS.map(({ id, text }) => [id, text]),
    ['connect', 'Speichere die Packliste für Sandholm in meinen Notes'],
    ['connect', '把 Sandholm 的行李清单保存到我的Notes里'],
    ['connect', 'احفظ قائمة الأمتعة لرحلة Sandholm في Notes'],
    ['sub-agents', 'Notes を二人の助手に読ませて、Almanac という一週間の計画を立てて'],
    ['sub-agents', 'Пусть два помощника прочитают мои Notes и составят план недели Almanac'],
    ['failure', 'Traga minha agenda Tidewater para o Notes'],
    ['failure', 'Tidewater 캘린더를 내 Notes로 가져와 줘'],
  ])('start their scene in any language: %s, %s', (id, words) => {
    const messages = [{ role: 'user', parts: [{ type: 'text', text: words }] }] as const
    const { calls } = nextReply({ system: '', messages, tools: offered })
    const tool = id === 'sub-agents' ? 'connect_app' : 'delegate_to_integrations_agent'
    const task = { connect: /Packing for Sandholm/, failure: /Bring in the calendar/ }[id] ?? /notes/
    expect(calls).toHaveLength(1)
    expect(calls?.[0]).toMatchObject({ tool })
    expect(JSON.stringify(calls?.[0]?.args)).toMatch(task)
  })

  it.each(WELCOME_PROMPTS)('contain the names that every translation keeps: $id', ({ text, names }) => {
    for (const name of names) expect(text).toContain(name)
  })
})
