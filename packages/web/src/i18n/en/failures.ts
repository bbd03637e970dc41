import type { FailureClass, FailureDetail } from '@capstan/protocol'

interface Wording {
  readonly why: string
  readonly next: string
}

/** Why something failed and what to do next, for people who know nothing of computers. Never blames anybody. */
export const failures = {
  why: 'Why',
  next: 'What to do next',
  classes: {
    timeout: {
      name: 'Took too long',
      why: 'It took too long and was stopped.',
      next: 'The assistant may try again; otherwise ask again later.',
    },
    rate_limited: {
      name: 'Asked to slow down',
      why: 'The service asked us to slow down.',
      next: 'The assistant may try again in a moment; otherwise ask again later.',
    },
    service_unavailable: {
      name: 'Service not available',
      why: 'The service cannot be reached or is not working right now.',
      next: 'The assistant may try again; otherwise ask again later.',
    },
    model_unreachable: {
      name: 'AI model not reached',
      why: 'The AI model could not be reached.',
      next: 'Check your connection and the model settings, then try again.',
    },
    quota_exhausted: {
      name: 'Used up',
      why: 'A plan, credit or budget is used up.',
      next: 'Top it up, or choose another plan or model.',
    },
    bad_credentials: {
      name: 'Sign-in not accepted',
      why: 'The sign-in is missing, has expired or does not allow this.',
      next: 'Reconnect the account.',
    },
    not_connected: {
      name: 'Not connected',
      why: 'This app is not connected yet.',
      next: 'Connect it, then ask again.',
    },
    missing_permission: {
      name: 'Permission missing',
      why: 'Permission is missing here, or the item was not shared.',
      next: 'Grant the permission or share the item, then ask again.',
    },
    missing_app: {
      name: 'Program missing',
      why: 'A program it needs is not there.',
      next: 'Install or start the program, then ask again.',
    },
    blocked_by_policy: {
      name: 'Not allowed by your settings',
      why: 'Your safety settings do not allow this.',
      next: 'Change the safety settings if you want it.',
    },
    denied_by_user: {
      name: 'You said no',
      why: 'You said no to this.',
      next: 'Nothing to do. Ask again if you change your mind.',
    },
    approval_expired: {
      name: 'No answer in time',
      why: 'Nobody answered the approval in time.',
      next: 'Ask again when you want it. It will not be tried again by itself.',
    },
    not_found: {
      name: 'Not found',
      why: 'What was named does not exist.',
      next: 'Nothing to do. The assistant looks for the right name.',
    },
    invalid_input: {
      name: 'Details not accepted',
      why: 'The details of the request were not accepted.',
      next: 'Nothing to do. The assistant corrects them.',
    },
    conflict: {
      name: 'Clash',
      why: 'It clashes with how things are now.',
      next: 'Nothing to do. The assistant looks again at how things are.',
    },
    unsupported: {
      name: 'Not possible here',
      why: 'It cannot be done this way here.',
      next: 'Another way is needed. Some things have to be done by hand.',
    },
    too_large: {
      name: 'Too big',
      why: 'It is too big.',
      next: 'Nothing to do. The assistant takes a smaller part.',
    },
    command_failed: {
      name: 'Command failed',
      why: 'The command ran and reported an error.',
      next: 'Nothing to do. The assistant reads what it reported.',
    },
    interrupted: {
      name: 'Interrupted',
      why: 'It broke off before its result was known, so it may or may not have happened.',
      next: 'Check before you repeat it.',
    },
    cancelled: {
      name: 'Stopped',
      why: 'It was stopped.',
      next: 'Nothing to do.',
    },
    unknown: {
      name: 'Failed',
      why: 'Something failed, and it did not say why.',
      next: 'Try again. If it keeps failing, run diagnostics.',
    },
  },
  /** Where a failed call of the AI model needs other words than a failed action. */
  model: {
    timeout: {
      why: 'The AI model took too long to answer.',
      next: 'Try again. If it keeps happening, choose a faster model.',
    },
    rate_limited: {
      why: 'The provider of the AI model asked us to slow down.',
      next: 'Wait a moment, then try again.',
    },
    quota_exhausted: {
      why: 'The credit or plan at the provider of the AI model is used up.',
      next: 'Top it up, or choose another model.',
    },
    bad_credentials: {
      why: 'The provider of the AI model did not accept the key.',
      next: 'Check the key in the model settings.',
    },
    not_found: {
      why: 'The provider does not know this AI model.',
      next: 'Check the name in the model settings, or choose another model.',
    },
    invalid_input: {
      why: 'The provider of the AI model did not accept the request.',
      next: 'Try again in a new conversation, or choose another model.',
    },
    too_large: {
      why: 'The conversation is too long for this AI model.',
      next: 'Start a new conversation, or choose a model that can take a longer one.',
    },
    unsupported: {
      why: 'This AI model cannot do that.',
      next: 'Choose a model that can.',
    },
    blocked_by_policy: {
      why: 'The provider of the AI model declined to answer this.',
      next: 'Put the request differently, or choose another model.',
    },
  },
  /** What a class alone does not say. */
  details: {
    'agent-halted': {
      why: 'The agent {{agent}} was stopped because it made no progress.',
      next: 'Ask for it in another way, or for a smaller part of it.',
    },
    'agent-capped': {
      why: 'The agent {{agent}} reached its limit before its work was finished.',
      next: 'Let it continue, or ask for a smaller part of it.',
    },
    'agent-nested': {
      why: 'The agent {{agent}} was not started: agents may not be nested that deeply.',
      next: 'Nothing to do. The assistant does this part itself.',
    },
    'empty-reply': {
      why: 'The AI model answered with nothing.',
      next: 'Try again. If it keeps happening, choose another model.',
    },
    limit: {
      why: 'The limit of this turn was reached.',
      next: 'Ask for a smaller part of it, or raise the limit.',
    },
    'model-address': {
      why: 'The address names no model.',
      next: 'Write the model behind a #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'This is not the name of a model.',
      next: 'Write provider/model, such as openai/gpt-6-sol, or the address of a server.',
    },
    'model-key': {
      why: 'The key for this AI model is missing.',
      next: 'Enter it in the model settings.',
    },
    'model-silent': {
      why: 'Nothing answers at the address of this AI model.',
      next: 'Check that the server is running, and the host and the port.',
    },
    'model-host': {
      why: 'The name in the address of this AI model is not known on the network.',
      next: 'Check how the address is spelt.',
    },
    'model-insecure': {
      why: 'There is no secure connection to this AI model: its certificate is not accepted, or it speaks no TLS.',
      next: 'Check the certificate of the server, or whether the address should begin with http://.',
    },
    'model-page': {
      why: 'A web page answers at this address, not an AI model.',
      next: 'Check the address: it often ends in /v1.',
    },
    'images-unsupported': {
      why: 'This AI model cannot look at images.',
      next: 'Choose a model that can see images, or say in words what is in it.',
    },
    'files-unsupported': {
      why: 'This AI model cannot read this kind of file.',
      next: 'Choose a model that can, or send the content as text.',
    },
    'attachment-too-large': {
      why: 'The files of this message are too large or too many.',
      next: 'Send it again with fewer or smaller files.',
    },
    'attachment-unreadable': {
      why: 'A file of this message could not be read. It may be damaged or protected with a password.',
      next: 'Save it again without a password, or send the content as text.',
    },
    'day-limit': {
      why: 'The limit of {{amount}} per day that is set here is used up.',
      next: 'Raise it in the settings under Spending, or wait until tomorrow. A member can ask the owner.',
    },
    'month-limit': {
      why: 'The limit of {{amount}} per month that is set here is used up.',
      next: 'Raise it in the settings under Spending, or wait for the next month. A member can ask the owner.',
    },
    'gave-up': {
      why: 'This was interrupted again and again, so it was not tried once more.',
      next: 'Look at what was done above, then ask for the rest in smaller parts.',
    },
    'done-already': {
      why: 'The same was already done in this turn, so it was not done again.',
      next: 'If it should happen once more, say so in a new message.',
    },
  },
  tried: 'It was tried {{tries}} times.',
  /** In place of "the assistant may try again", once the turn is over. */
  ended: {
    later: 'Try again later.',
    otherwise: 'Try again, or ask for it in another way.',
  },
  /** An action whose kind is switched off in its app. */
  allow: {
    why: '{{action}} belongs to “{{kind}}”, which is switched off in {{name}}.',
    next: 'Allow “{{kind}}” in {{name}}, here or under Connections.',
    button: 'Allow “{{kind}}” in {{name}}',
    done: '“{{kind}}” is allowed in {{name}} now. The next try will not be refused for it.',
  },
  buttons: {
    connect: 'Connect',
    reconnect: 'Reconnect',
    allow: 'Allow',
    retry: 'Try again',
    openSettings: 'Open settings',
    runDiagnostics: 'Run diagnostics',
  },
} as const satisfies {
  readonly why: string
  readonly next: string
  readonly classes: Record<FailureClass, Wording & { readonly name: string }>
  readonly model: Partial<Record<FailureClass, Wording>>
  readonly details: Record<FailureDetail['kind'], Wording>
  readonly tried: string
  readonly ended: Record<string, string>
  readonly allow: Readonly<Record<'why' | 'next' | 'button' | 'done', string>>
  readonly buttons: Record<string, string>
}
