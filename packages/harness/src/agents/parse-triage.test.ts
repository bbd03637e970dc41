import { describe, expect, it } from 'vitest'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { says, ScriptedModel } from '../testing/index.ts'
import { parseTriage } from './parse-triage.ts'
import { TRIAGE } from './triage.ts'

const REACT =
  '{"action": "react", "target_agent": "researcher", "prompt": "Look it up.", "reason": "Asked for."}'
const REACTS = {
  decision: { action: 'react', targetAgent: 'researcher', prompt: 'Look it up.', reason: 'Asked for.' },
}

describe('a triage answer', () => {
  it.each([
    ['alone', REACT],
    ['in a fence', `Here it is:\n\`\`\`json\n${REACT}\n\`\`\`\nThat is all.`],
    ['in a fence without a language', `\`\`\`\n${REACT}\`\`\``],
    ['after words', `I think {this} is worth it. ${REACT}`],
    ['before words', `${REACT}\nBecause {it} matters.`],
    ['after an example', `Such as {"action": "drop", "reason": "x"}.\n\n${REACT}`],
    ['in the last of two fences', `\`\`\`json\n{"action":"drop"}\n\`\`\`\n\`\`\`json\n${REACT}\n\`\`\``],
    ['in a fence, among words', `\`\`\`\nanswer: ${REACT} ok\n\`\`\``],
    ['with trailing commas', REACT.replace('}', ',\n}')],
    ['in capitals', REACT.replace('"react"', '" REACT "').replace('"action"', '"Action"')],
    ['with another way to write names', REACT.replace('target_agent', 'targetAgent')],
    ['with more in it', REACT.replace('{', '{"confidence": 0.9, "tags": [1, 2,], "more": {"a": 1,}, ')],
    ['after a brace that never closes', `{ hm ${REACT}`],
  ])('is parsed %s', (_how, reply) => {
    expect(parseTriage(reply)).toEqual(REACTS)
  })

  it('may contain braces, quotes and commas in its text', () => {
    const prompt = 'Say "{x,}" and } twice.'
    const reply = JSON.stringify({ action: 'escalate', target_agent: 'orchestrator', prompt, reason: '' })
    expect(parseTriage(`${reply.slice(0, -1)},}`)).toEqual({
      decision: { action: 'escalate', targetAgent: 'orchestrator', prompt, reason: '' },
    })
  })

  it.each(['drop', 'acknowledge'] as const)('needs neither target nor prompt for %s', (action) => {
    expect(parseTriage(`{"action": "${action}", "reason": "Noise."}`)).toEqual({
      decision: { action, reason: 'Noise.' },
    })
  })

  it.each([
    ['react', '{"action": "react", "prompt": "x"}', 'needs a target_agent'],
    ['escalate', '{"action": "escalate", "target_agent": "a", "prompt": "  "}', 'needs a prompt'],
    [
      'a number for a target',
      '{"action": "react", "target_agent": 7, "prompt": "x"}',
      'needs a target_agent',
    ],
    ['another action', '{"action": "delete everything"}', 'must be drop, acknowledge, react or escalate'],
    ['no action', '{"reason": "x"}', 'no JSON object'],
    ['a list', '[1, 2]', 'no JSON object'],
    ['nothing', '', 'no JSON object'],
    ['words', 'drop it', 'no JSON object'],
    ['half an object', '{"action": "drop"', 'no JSON object'],
  ])('that does not parse is returned as a problem, not guessed: %s', (_what, reply, problem) => {
    expect(parseTriage(reply)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('is parsed quickly for any reply', () => {
    for (const hostile of ['{', '}', '{}', '"', '```', '{"action":', ',', '\\', ', ']) {
      const began = performance.now()
      parseTriage(hostile.repeat(100_000))
      expect(performance.now() - began, hostile).toBeLessThan(1_000)
    }
  })

  it('comes from an agent without tools', async () => {
    const model = new ScriptedModel(says(REACT))
    const { text } = await runStateless({
      model,
      instructions: TRIAGE.instructions,
      input: 'A mail came in.',
    })
    expect(parseTriage(text)).toEqual(REACTS)
    expect(TRIAGE.tools).toEqual([])
  })
})
