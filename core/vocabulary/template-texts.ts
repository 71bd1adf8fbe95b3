/**
 * Texts of new files where only the author knows what to say. They are published like any other text, so M446 names
 * those that are still there.
 */
export const templateTexts = {
  service: 'What this service holds, in one sentence.',
  email: 'you@example.org',
  license: 'Say what the license allows.',
  surface: 'What the surface answers, in one sentence.',
  source: 'Say where the rows come from.'
} as const
