/** Which limit a member has reached, and what helps, in words for people. */
export const LIMIT_REASONS = {
  turnsAtOnce: 'You have as many turns running as you may. Wait until one has ended.',
  messagesPerMinute: 'The owner of this installation has switched messages off for you.',
  usdPerDay: 'You have used what you may spend in a day. Try again tomorrow, or ask the owner for more.',
  usdPerMonth: 'You have used what you may spend in a month. Ask the owner for more.',
  tokensPerDay: 'You have used the tokens of a day. Try again tomorrow, or ask the owner for more.',
  tokensPerMonth: 'You have used the tokens of a month. Ask the owner for more.',
  threads: 'You have as many conversations as you may. Delete one, or ask the owner for more.',
  storedMegabytes: 'You have used the space that you may. Delete conversations, or ask the owner for more.',
} as const
