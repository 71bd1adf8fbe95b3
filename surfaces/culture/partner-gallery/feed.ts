import type { Static } from 'typebox'
import { compileSchema, hashCanonical, isObject, nullable, Type, type JsonSchema } from 'pantry/data'
import { utcMoment } from '../../witness/utc-moment.ts'
import type { Partner } from './partner.ts'

export const feedContract = 'partner-gallery.feed/1'

const Line = Type.String({ maxLength: 2000 })
const Name = Type.String({ minLength: 1, maxLength: 300 })
const Url = Type.String({ maxLength: 1000, pattern: '^https://' })
const Flag = Type.Boolean()
const legacy = Type.Optional(nullable(Line))

const Piece = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  cycle: Type.Optional(nullable(Type.Integer())),
  form: legacy,
  from_state: legacy,
  to_state: legacy,
  gap: legacy,
  bridge: legacy,
  awakening: legacy,
  created: legacy,
  piece: legacy,
  artist: legacy,
  license: legacy,
  source: Type.Object({ id: Name, name: Type.Optional(Name), canonical_url: Type.Optional(Url) }),
  canonical_url: Url,
  content_hash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  creator: Type.Object({
    name: Name,
    type: Type.Enum(['software', 'declared-creator']),
    human_creator: nullable(Line),
    verified: Flag,
    note: Line
  }),
  creation: Type.Object({
    method: Type.Enum(['procedural-template', 'generative-ai', 'submitted']),
    created_at: nullable(Line),
    timestamp_status: Type.Enum(['timezone-explicit', 'legacy-naive-assumed-utc', 'missing-or-invalid']),
    trace_status: Type.Enum(['project-generated', 'model-recorded', 'self-declared']),
    note: Line
  }),
  rights: Type.Object({
    status: Name,
    public_domain: nullable(Flag),
    license: nullable(Line),
    license_verified: Flag,
    credit: Line,
    reusable: nullable(Flag),
    reuse_with_attribution: nullable(Flag),
    permissions: Type.Object({
      view: Type.Literal(true),
      directory_display: Flag,
      remix: nullable(Flag),
      commercial_use: nullable(Flag),
      machine_learning: nullable(Flag)
    }),
    note: Line
  })
})

/** The schema of a feed. Additional members are allowed and dropped. */
export const Feed = Type.Object({
  schema: Type.Literal(feedContract),
  feed: Name,
  source: Type.Object({ id: Name, name: Name, canonical_url: Url }),
  source_state: Type.Enum(['asset-read', 'origin-read', 'cached-after-read-failure']),
  generated_at: Line,
  as_of: Line,
  updated: Line,
  count: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 0, maximum: 1000 }),
  pieces: Type.Array(Piece, { maxItems: 1000 })
})

export type Feed = Static<typeof Feed>

/** A valid feed. `hash` is the SHA-256 of its canonical JSON, `asOf` its own date in UTC with milliseconds. */
export type ValidFeed = Readonly<{ feed: Feed; hash: string; asOf: string }>

/** The tolerance for a partner's clock that is ahead, in milliseconds. */
const skew = 300_000

/** Whether a piece belongs to a source of the partner and has the partner's own URL for it. */
const isTrue = ({ id, source, canonical_url: url }: Feed['pieces'][number], partner: Partner): boolean =>
  partner.source_ids.includes(source.id) && url === `${partner.canonical_url}/api/art/${encodeURIComponent(id)}`

const keepsContract = compileSchema(Feed)

/** Returns a value without the members that its schema does not declare. */
function declaredOnly(schema: object, value: unknown): unknown {
  const { properties, items } = schema as JsonSchema
  if (Array.isArray(value)) return isObject(items) ? value.map(item => declaredOnly(items, item)) : value
  if (!isObject(properties) || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name) ? [[name, declaredOnly(properties[name] as object, member)]] : []
    )
  )
}

/** Parses a feed and keeps its declared members; `undefined` when it is no JSON or does not match the schema. */
function parseFeed(text: string): Feed | undefined {
  try {
    const value = declaredOnly(Feed, JSON.parse(text))
    return keepsContract(value).length === 0 ? (value as Feed) : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses and validates a feed; `undefined` when it violates the contract in any way, also when its date is in the
 * future.
 */
export function readFeed(text: string, partner: Partner, now: number): ValidFeed | undefined {
  const feed = parseFeed(text)
  if (feed === undefined) return undefined
  const { source, pieces, count, limit } = feed
  const [asOf, generatedAt, updated] = [feed.as_of, feed.generated_at, feed.updated].map(utcMoment)
  if (asOf === undefined || generatedAt === undefined || updated === undefined || Date.parse(asOf) > now + skew)
    return undefined
  if (source.id !== partner.source_ids[0] || source.canonical_url !== partner.canonical_url) return undefined
  if (count !== pieces.length || count > limit || new Set(pieces.map(({ id }) => id)).size !== count) return undefined
  if (!pieces.every(piece => isTrue(piece, partner))) return undefined
  try {
    return { feed, hash: hashCanonical(feed), asOf }
  } catch {
    // A JSON escape sequence can contain an unpaired surrogate, which has no canonical form.
    return undefined
  }
}
