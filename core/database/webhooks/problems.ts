import type { OutgoingAnswer } from '../../http/safe-fetch.ts'

type ProblemCode = 'status' | 'refused' | 'name' | 'tls' | 'connection' | 'timeout' | 'key' | 'disabled'

/** Why a message has not arrived. The sentence holds nothing that the endpoint wrote, and no address. */
export type Problem = Readonly<{ code: ProblemCode; reason: string }>

/** What is kept of an attempt for which the secret of the endpoint could not be decrypted. */
export const keyProblem = 'key'

/** Returns what is kept of a failed attempt; `undefined` for a success. */
export function problemOf(answer: OutgoingAnswer): string | undefined {
  switch (answer.state) {
    case 'answered':
    case 'too-large':
      return answer.status >= 200 && answer.status < 300 ? undefined : `status ${answer.status}`
    case 'failed':
      return `failed ${answer.code}`
    case 'refused':
    case 'timeout':
      return answer.state
  }
}

const known: Readonly<Record<string, Problem>> = {
  refused: {
    code: 'refused',
    reason: 'Nothing was sent: its address is neither public nor in PANTRY_OUTGOING_NETWORKS.'
  },
  timeout: { code: 'timeout', reason: 'It did not answer in five seconds.' },
  [keyProblem]: {
    code: 'key',
    reason: 'Its secret cannot be decrypted with the key of this data folder; `pantry explain O407` says what helps.'
  }
}

/** Codes of Node for failed connections, and which problem each is. The first that matches holds. */
const failures: readonly (readonly [RegExp, ProblemCode, string])[] = [
  [/^(?:ENOTFOUND|EAI_|ENODATA)/, 'name', 'Its name has no address now'],
  [
    /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/,
    'tls',
    'Its certificate or its TLS is not accepted'
  ],
  [/^/, 'connection', 'The connection to it failed']
]

/** Returns why a message has not arrived, from what is kept of its last attempt; `null` is kept before the first. */
export function readProblem(kept: string | null): Problem {
  if (kept === null) return { code: 'disabled', reason: 'The endpoint is disabled.' }
  const [word = '', detail = ''] = kept.split(' ')
  if (word === 'status') {
    const why = detail.startsWith('3') ? ', and redirects are not followed' : ''
    return { code: 'status', reason: `It answered with status ${detail}${why}.` }
  }
  const [, code = 'connection', reason = ''] = failures.find(([codes]) => codes.test(detail)) ?? []
  return known[word] ?? { code, reason: `${reason} (${detail}).` }
}
