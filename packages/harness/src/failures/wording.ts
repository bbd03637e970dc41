import type { AttachmentProblem, FailureClass } from '@capstan/protocol'

interface Wording {
  readonly cause: string
  readonly next: string
}

/** The texts a person reads about a failed action. They never blame a person. */
export const WORDING: Readonly<Record<FailureClass, Wording>> = {
  timeout: {
    cause: 'It took too long and was stopped.',
    next: 'The assistant may try again; otherwise ask again later.',
  },
  rate_limited: {
    cause: 'The service asked us to slow down.',
    next: 'The assistant may try again in a moment; otherwise ask again later.',
  },
  service_unavailable: {
    cause: 'The service cannot be reached or is not working right now.',
    next: 'The assistant may try again; otherwise ask again later.',
  },
  model_unreachable: {
    cause: 'The AI model could not be reached.',
    next: 'Check the model settings or the connection, then try again.',
  },
  quota_exhausted: {
    cause: 'A plan, credit or budget is used up.',
    next: 'Top it up, or choose another plan or model.',
  },
  bad_credentials: {
    cause: 'The sign-in is missing, has expired or does not allow this.',
    next: 'Reconnect the account.',
  },
  not_connected: { cause: 'This app is not connected yet.', next: 'Connect it, then ask again.' },
  missing_permission: {
    cause: 'Permission is missing here, or the item was not shared.',
    next: 'Grant the permission or share the item, then ask again.',
  },
  missing_app: {
    cause: 'A program it needs is not there.',
    next: 'Install or start the program, then ask again.',
  },
  blocked_by_policy: {
    cause: 'Your safety settings do not allow this.',
    next: 'Change the safety settings if you want it.',
  },
  denied_by_user: {
    cause: 'You said no to this.',
    next: 'Nothing to do; ask again if you change your mind.',
  },
  approval_expired: {
    cause: 'Nobody answered the approval in time.',
    next: 'Ask again when you want it; it will not retry by itself.',
  },
  not_found: {
    cause: 'What was named does not exist.',
    next: 'Nothing to do; the assistant looks up the right name.',
  },
  invalid_input: {
    cause: 'The details of the request were not accepted.',
    next: 'Nothing to do; the assistant corrects them.',
  },
  conflict: {
    cause: 'It clashes with the current state of things.',
    next: 'Nothing to do; the assistant reads the current state again.',
  },
  unsupported: {
    cause: 'It cannot be done this way here.',
    next: 'Another way is needed; some things have to be done by hand.',
  },
  too_large: { cause: 'It is too big.', next: 'Nothing to do; the assistant takes a smaller part.' },
  command_failed: {
    cause: 'The command ran and reported an error.',
    next: 'Nothing to do; the assistant reads its output.',
  },
  interrupted: {
    cause: 'It broke off before its result was known, so it may or may not have happened.',
    next: 'Check before repeating it.',
  },
  cancelled: { cause: 'It was stopped.', next: 'Nothing to do.' },
  unknown: {
    cause: 'Something failed, and it did not say why.',
    next: 'Try again; if it keeps failing, run diagnostics.',
  },
}

/** Where a failed model call needs other words than a failed action. */
export const MODEL_WORDING: Readonly<Partial<Record<FailureClass, Wording>>> = {
  timeout: {
    cause: 'The AI model took too long to answer.',
    next: 'Try again; if it keeps happening, choose a faster model.',
  },
  rate_limited: {
    cause: 'The provider of the AI model asked us to slow down.',
    next: 'Wait a moment, then try again.',
  },
  quota_exhausted: {
    cause: 'The credit or plan at the provider of the AI model is used up.',
    next: 'Top it up, or choose another model.',
  },
  bad_credentials: {
    cause: 'The provider of the AI model did not accept the key.',
    next: 'Check the key in the model settings.',
  },
  not_found: {
    cause: 'The provider does not know this AI model.',
    next: 'Check the name in the model settings, or choose another model.',
  },
  invalid_input: {
    cause: 'The provider of the AI model did not accept the request.',
    next: 'Try again in a new conversation, or choose another model.',
  },
  too_large: {
    cause: 'The conversation is too long for this AI model.',
    next: 'Start a new conversation, or choose a model with a larger context.',
  },
  unsupported: {
    cause: 'This AI model cannot do that.',
    next: 'Choose a model that can.',
  },
  blocked_by_policy: {
    cause: 'The provider of the AI model declined to answer this.',
    next: 'Put the request differently, or choose another model.',
  },
}

/** What to do about an attachment that was refused. */
export const ATTACHMENT_ADVICE: Readonly<Record<AttachmentProblem, string>> = {
  'images-unsupported': 'Choose a model that can see images, or say in words what is in it.',
  'files-unsupported': 'Choose a model that can read such files, or send the content as text.',
  'attachment-too-large': 'Send it again with fewer or smaller files.',
  'attachment-unreadable': 'Save it again without a password, or send the content as text.',
}
