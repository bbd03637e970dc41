import type {
  ApiProblemCode,
  DiagnosticCheck,
  DiagnosticFinding,
  DiagnosticRemedy,
  FieldProblem,
} from '@capstan/protocol'

/** Errors of the server, and the checks of the diagnostics. */
export const problems = {
  codes: {
    invalid: 'Something you entered was not accepted.',
    signed_out: 'You are signed out. Open the login link again.',
    forbidden: 'This is not allowed.',
    login_again: 'Log in again first: this change reaches the computer that Capstan runs on.',
    not_found: 'It does not exist or was deleted.',
    conflict: 'It has changed in the meantime. Reload it, then try again.',
    held: 'Everything is stopped. Release it, then send your message again.',
    too_large: 'It is too big.',
    rate_limited: 'Too many requests. Wait a moment, then try again.',
    limit_reached: 'You have reached a limit that the owner has set for you.',
    unavailable: 'This is not available right now. Try again in a moment.',
    internal: 'Something went wrong on our side. Try again; if it keeps happening, run diagnostics.',
  },
  /** A code this version does not know. */
  other: 'That did not work. Try again.',
  /** No answer came at all. */
  offline: 'Capstan cannot be reached. Check that it is running.',
  'needs-card': 'A word is not enough for this question. Answer it on its card.',
  'storage-full':
    'You have used all the space that the owner gives you. Delete conversations you no longer need; files and long outputs take the most.',
  /** Why a field of a form was not accepted. The text stands at the field. */
  fields: {
    'not-absolute': 'Enter the full path, such as /home/you/Documents.',
    'not-a-folder': '“{{value}}” is not a folder that can be read.',
    'own-data': '“{{value}}” holds the data of Capstan itself. Choose another folder.',
    'not-a-host': '“{{value}}” is not a host. Enter one such as example.com or *.example.com.',
    'host-too-wide': '“{{value}}” covers hosts of anybody. Name a domain of your own.',
    'no-host': 'Name at least one host.',
    'too-many': 'At most {{most}} are possible.',
    length: 'Enter {{least}} to {{most}} characters.',
    'bad-name': 'Use letters, digits, dots, hyphens and underscores only, at most {{most}}.',
    taken: '“{{value}}” exists already.',
    'not-a-key': 'This does not look like a key.',
    'when-unclear':
      'This is not clear. Say it in English, such as “every weekday at 8” or “every 2 hours”, or enter a cron line with five fields.',
    'when-no-time': 'Say at what time, such as “at 8:00”.',
    'when-mixed': 'The times have different minutes. Add a schedule for each.',
    'when-often': 'This is too often. Every 15 minutes is the most.',
    'when-never': 'This time never comes.',
    'bad-zone': 'There is no such time zone. Enter a name such as Europe/Berlin.',
    'not-a-variable': '“{{value}}” is not the name of a variable. Enter the name alone, without its value.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'The version Capstan runs on.',
    },
    store: {
      name: 'Stored data',
      about: 'Whether conversations can be read and written.',
    },
    disk: {
      name: 'Disk space',
      about: 'Whether there is space for new data.',
    },
    model: {
      name: 'AI model',
      about: 'Whether the chosen model can be used.',
    },
    apps: {
      name: 'Connected apps',
      about: 'Whether your apps can be reached.',
    },
    sandbox: {
      name: 'Sandbox',
      about: 'Whether commands and programs on this computer can be confined.',
    },
    'demo-app': {
      name: 'Demo app',
      about: 'Whether the Notes app that comes with Capstan is running.',
    },
    'web-app': {
      name: 'Web app',
      about: 'Whether these pages are complete.',
    },
    embeddings: { name: 'Embedding model', about: 'Whether memory is also searched by meaning.' },
    clock: {
      name: 'Clock',
      about: 'Whether the time of this computer is right.',
    },
  },
  states: {
    ok: 'All good',
    warning: 'Warning',
    failed: 'Needs attention',
  },
  findings: {
    node: 'Node {{version}}.',
    store: 'The data in {{folder}} can be read and written.',
    'store-replaced': 'The stored data was replaced at the start: {{detail}}',
    disk: '{{size}} free.',
    model: '{{model}} is set up.',
    'model-demo': 'The scripted demo model is in use.',
    'model-unusable': 'The chosen model cannot be used: {{detail}}',
    apps: 'Apps known: {{known}}, connected: {{connected}}.',
    'apps-unsure': 'Apps known: {{known}}, connected: {{connected}}. Some could not be asked.',
    'apps-broken': 'Apps known: {{known}}, connected: {{connected}}. Not usable: {{names}}.',
    sandbox: 'Programs are confined: a test program could not see the data folder.',
    'sandbox-off': 'Programs run without confinement, with all rights of this user.',
    'sandbox-unavailable': 'Programs cannot be confined here: {{detail}}',
    'sandbox-unlimited': 'Programs are confined, but nothing limits how many processes they start at once.',
    demo: 'Notes answers at {{address}}.',
    'demo-off': 'It is switched off.',
    'demo-silent': 'Notes does not answer.',
    web: 'It is built.',
    'web-elsewhere': 'It is not served from here.',
    'web-missing': 'It is not built.',
    embeddings: '{{model}} is set up. {{done}} of {{total}} items in memory have vectors.',
    'embeddings-off': 'None is set. Memory is searched by words.',
    'embeddings-failing':
      '{{done}} of {{total}} items in memory have vectors of {{model}}. The last try failed: {{detail}}',
    'embeddings-unusable': 'The chosen embedding model cannot be used: {{detail}}',
    clock: 'The clock says {{time}}.',
    'clock-behind': 'The clock says {{time}}, but a conversation is from a later time.',
    unchecked: 'It could not be checked: {{detail}}',
  },
  remedies: {
    node: 'Install Node {{oldest}} or newer.',
    store: 'Look into the folder “backups” if something is missing.',
    'disk-soon': 'Make room on the disk before it is full.',
    'disk-now': 'Make room on the disk: soon nothing can be stored.',
    model: 'Settings has a button to test it.',
    'model-demo': 'Enter the key of a provider in Settings, or start Ollama, to talk to a real model.',
    'model-unusable': 'Choose another model in Settings, or enter its key.',
    'apps-unsure': 'Try again in a moment.',
    'apps-broken': 'Reconnect under Connections.',
    sandbox:
      'Until bubblewrap works, commands and programs are refused. “npx capstan doctor” says what is missing.',
    'sandbox-unlimited':
      'Run Capstan as a normal user, give it a writable cgroup (systemd: Delegate=yes), or use Linux 6.14 or later.',
    restart: 'Start the server again.',
    'embeddings-unusable': 'Choose another embedding model in Settings, or enter its key.',
    clock: 'Set the clock of this computer: sign-ins and approvals go by it.',
  },
} as const satisfies {
  readonly codes: Record<ApiProblemCode, string>
  readonly other: string
  readonly offline: string
  readonly 'needs-card': string
  readonly 'storage-full': string
  readonly fields: Record<FieldProblem['kind'], string>
  readonly checks: Record<DiagnosticCheck['id'], { readonly name: string; readonly about: string }>
  readonly findings: Record<DiagnosticFinding['code'], string>
  readonly remedies: Record<DiagnosticRemedy, string>
  readonly states: Record<DiagnosticCheck['state'], string>
}
