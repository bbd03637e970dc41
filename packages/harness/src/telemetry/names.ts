// The names of the OpenTelemetry conventions for generative AI and MCP, revision v1.41.0. None of them is stable, so
// they are written down here and not imported.

/** The revision of the names below. */
export const CONVENTIONS = 'https://opentelemetry.io/schemas/1.41.0'

/** Attributes of spans and metrics. */
export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  model: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  instructions: 'gen_ai.system_instructions',
  errorType: 'error.type',
  serverAddress: 'server.address',
  mcpMethod: 'mcp.method.name',
  mcpProtocol: 'mcp.protocol.version',
  transport: 'network.transport',
  /** Our own: how a run ended. */
  outcome: 'capstan.outcome',
  /** Our own: the id of the run, as in the ledger. */
  run: 'capstan.run.id',
  /** Our own: the app that a request went to. */
  toolkit: 'capstan.toolkit',
} as const

/** Names of operations. */
export const OPERATION = { agent: 'invoke_agent', chat: 'chat', tool: 'execute_tool' } as const

/** A metric, by its name over OTLP, with the boundaries that the conventions give. */
export const METRIC = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  firstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    boundaries: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    boundaries: [
      1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
    ],
  },
} as const
