import { invalid } from 'pantry/data'

/** Names that readers would take for the service itself or for its staff. */
const reserved = new Set([
  'about',
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'agent',
  'agents',
  'anonymous',
  'api',
  'auction',
  'auctions',
  'billing',
  'contact',
  'everyone',
  'help',
  'hostmaster',
  'info',
  'legal',
  'mail',
  'me',
  'moderator',
  'nobody',
  'null',
  'official',
  'operator',
  'pantry',
  'postmaster',
  'privacy',
  'root',
  'security',
  'staff',
  'support',
  'system',
  'team',
  'terms',
  'trust',
  'undefined',
  'user',
  'users',
  'verify',
  'webmaster',
  'wholesale',
  'www'
])

/**
 * A lower-case letter, then letters and digits with single hyphens between them. ASCII only, so that no two names look
 * alike because of other scripts (UTS #39 §4).
 */
const usernameForm = /^[a-z](?:-?[a-z0-9]){2,29}$/

const looksLike = (name: string): string =>
  name
    .replaceAll('-', '')
    .replaceAll('0', 'o')
    .replaceAll(/[1l]/g, 'i')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

const reservedLooks = new Set([...reserved].map(looksLike))

/** Returns the normalised name; 400 if it is invalid or reserved. */
export function checkUsername(name: string): string {
  const username = name.trim().toLowerCase()
  if (!usernameForm.test(username))
    throw invalid(
      'username',
      'A username has 3 to 30 letters a to z and digits, begins with a letter, and may have single hyphens inside.'
    )
  if (reservedLooks.has(looksLike(username)))
    throw invalid('username', `\`${username}\` is reserved, or looks like a name that is.`)
  return username
}
