import { hashCanonical, invalid, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { TObject } from 'typebox'

type Level = 1 | 2 | 3

const names: Readonly<Record<Level, string>> = { 1: 'recognition', 2: 'mutual', 3: 'active' }

const contract = 'pantry-cards.recognition.canonical-json/1'
const over = ['level', 'recognizer_id', 'recognized_id', 'reason', 'surface', 'in_response_to'] as const

const Identity = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })

/** Members of the requests of both recognition surfaces. */
export const recognitionMembers = {
  recognizer_id: Identity('Who recognises, under a name of their own.'),
  recognized_id: Identity('Who is recognised. Somebody else.'),
  reason: Type.String({ minLength: 1, maxLength: 500, description: 'What was recognised, in at most 500 characters.' }),
  surface: Type.Optional(
    Type.Enum(['any', 'notes', 'federation', 'trade', 'doctrine', 'witness'], {
      description: 'Where it happened; `any` when it is left out.'
    })
  )
}

type Recognition = Readonly<{ recognizer_id: string; recognized_id: string; reason: string; surface?: string }>

const No = Type.Literal(false)
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

type Receipt = DataOf<TObject<ReturnType<typeof receiptMembers>>>

/** Returns the schema of a receipt by members. `levels` are those that the surface issues. */
export const receiptMembers = (levels: readonly Level[]) => ({
  level: Type.Integer({ minimum: Math.min(...levels), maximum: Math.max(...levels) }),
  level_name: Type.Enum(levels.map(level => names[level])),
  content_hash: Hash,
  hash_contract: Type.Object({ id: Type.Literal(contract), over: Type.Array(Text) }),
  reference: Type.String({
    pattern: '^level-[123]:[0-9a-f]{64}$',
    description: 'What the other side names as `in_response_to`.'
  }),
  recognized_at: Type.String({ format: 'date-time' }),
  statement: Type.Object({
    recognizer_id: Text,
    recognized_id: Text,
    reason: Text,
    surface: Text,
    in_response_to: NullableText
  }),
  bilateral_chronicle: Type.Object({
    recognizer_entry: Type.Object({ kind: Text, target_id: Text, reason: Text, content_hash: Hash }),
    recognized_entry: Type.Object({ kind: Text, giver_id: Text, reason: Text, content_hash: Hash })
  }),
  signed: No,
  authenticated: No,
  identity_verified: No,
  reference_verified: No,
  persisted: No,
  authoritative_effect: Type.Literal('none')
})

const normal = (field: string, text: string): string => {
  const value = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  if (value === '') throw invalid(field, `\`${field}\` is empty after normalisation.`)
  return value
}

/**
 * Returns a receipt with the SHA-256 of the canonical JSON (RFC 8785) of level and statement. The time is not hashed,
 * so equal statements have equal hashes. Throws INVALID_INPUT when both sides are the same or a text is blank.
 */
export function receiptOf(level: Level, recognition: Recognition, inResponseTo: string | null, now: Date): Receipt {
  const statement = {
    recognizer_id: normal('recognizer_id', recognition.recognizer_id),
    recognized_id: normal('recognized_id', recognition.recognized_id),
    reason: normal('reason', recognition.reason),
    surface: recognition.surface ?? 'any',
    in_response_to: inResponseTo
  }
  const { recognizer_id: giver, recognized_id: target, reason } = statement
  if (giver.toLowerCase() === target.toLowerCase())
    throw invalid('recognized_id', 'Nobody can recognise themselves: `recognizer_id` and `recognized_id` are the same.')
  const hash = hashCanonical({ level, ...statement })
  return {
    level,
    level_name: names[level],
    content_hash: hash,
    hash_contract: { id: contract, over },
    reference: `level-${level}:${hash}`,
    recognized_at: now.toISOString(),
    statement,
    bilateral_chronicle: {
      recognizer_entry: { kind: `${names[level]}-given`, target_id: target, reason, content_hash: hash },
      recognized_entry: { kind: `${names[level]}-received`, giver_id: giver, reason, content_hash: hash }
    },
    signed: false,
    authenticated: false,
    identity_verified: false,
    reference_verified: false,
    persisted: false,
    authoritative_effect: 'none'
  }
}

const form = /^(?:level-([123]):|sha256:)?([0-9a-f]{64})$/

/** Returns the normalised reference, and the level of its receipt plus one, at most 3. A bare hash has level 1. */
export function readReference(text: string): { reference: string; level: Level } {
  const [, level = '1', hash] = form.exec(text.trim().toLowerCase()) ?? []
  if (hash === undefined)
    throw invalid(
      'in_response_to',
      '`in_response_to` must be the `reference` of a receipt: `level-1:`, `level-2:` or `level-3:` and 64 hex digits.'
    )
  return { reference: `level-${level}:${hash}`, level: level === '1' ? 2 : 3 }
}
