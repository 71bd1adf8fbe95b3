import { compileSchema, hashCanonical, isObject, nullable, Type, type DataOf, type JsonSchema } from 'pantry/data'
import type { Static, TObject } from 'typebox'
import { elapsed, utcMoment } from '../common/calendar.ts'
import type { FetchResult } from '../sources/read-public.ts'

export const Partner = Type.Object({
  id: Type.String(),
  name: Type.String(),
  canonical_url: Type.String({ description: 'Origin of the gallery, without a slash at its end.' }),
  feed_url: Type.String(),
  source_ids: Type.Array(Type.String(), {
    description: 'Ids by which the partner names its sources; the first one is that of the feed.'
  })
})
export type Partner = DataOf<typeof Partner>

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

/** The feed of a partner. Additional members are allowed and dropped. */
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

/** `hash` is the SHA-256 of the canonical JSON, `asOf` in UTC with milliseconds. */
type ValidFeed = Readonly<{ feed: Feed; hash: string; asOf: string }>

/** Milliseconds by which the clock of a partner may be ahead. */
const skew = 300_000

/** Whether the source and the URL of a work belong to the partner. */
const isOwnPiece = ({ id, source, canonical_url: url }: Feed['pieces'][number], partner: Partner): boolean =>
  partner.source_ids.includes(source.id) && url === `${partner.canonical_url}/api/art/${encodeURIComponent(id)}`

const keepsContract = compileSchema(Feed)

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

/** Parses a feed; `undefined` when the text is no JSON or does not match the schema. */
function parseFeed(text: string): Feed | undefined {
  try {
    const value = declaredOnly(Feed, JSON.parse(text))
    return keepsContract(value).length === 0 ? (value as Feed) : undefined
  } catch {
    return undefined
  }
}

/** Checks a feed; `undefined` when it violates the contract in any way, also when its date is in the future. */
export function readFeed(text: string, partner: Partner, now: number): ValidFeed | undefined {
  const feed = parseFeed(text)
  if (feed === undefined) return undefined
  const { source, pieces, count, limit } = feed
  const [asOf, generatedAt, updated] = [feed.as_of, feed.generated_at, feed.updated].map(utcMoment)
  if (asOf === undefined || generatedAt === undefined || updated === undefined || Date.parse(asOf) > now + skew)
    return undefined
  if (source.id !== partner.source_ids[0] || source.canonical_url !== partner.canonical_url) return undefined
  if (count !== pieces.length || count > limit || new Set(pieces.map(({ id }) => id)).size !== count) return undefined
  if (!pieces.every(piece => isOwnPiece(piece, partner))) return undefined
  try {
    return { feed, hash: hashCanonical(feed), asOf }
  } catch {
    // A JSON escape sequence can contain an unpaired surrogate, which has no canonical form.
    return undefined
  }
}

type FeedFailure = Readonly<
  | { reason: 'network'; network_kind: 'timeout' | 'request-failed' }
  | { reason: 'http'; http_status: number }
  | { reason: 'invalid-contract' }
>

/** The members that describe a failure; all are always present, null where they do not apply. */
export const FailureFacts = {
  reason: nullable(Type.Enum(['network', 'http', 'invalid-contract'])),
  network_kind: nullable(Type.Enum(['timeout', 'request-failed'])),
  http_status: nullable(Type.Integer())
}

export const failureFacts = (failure: FeedFailure | undefined): DataOf<TObject<typeof FailureFacts>> => ({
  reason: null,
  network_kind: null,
  http_status: null,
  ...failure
})

type GalleryOptions = Readonly<{
  partner: Partner | undefined
  read: (url: string) => Promise<FetchResult>
  now?: () => number
}>

/**
 * In milliseconds: when a valid feed is read again, a failed reading is retried, and a feed that could not be
 * revalidated is no longer shown.
 */
export const pace = { revalidate: 3_600_000, retry: 300_000, keep: 86_400_000 } as const

const isoOf = (time: number): string => new Date(time).toISOString()

/**
 * Keeps the last valid feed in memory. After an hour, the next call starts a new reading, and callers get the old feed
 * meanwhile. If the reading fails, the old feed is shown for up to a day after it was read, with its date and the
 * failure.
 */
export class PartnerGallery {
  readonly partner: Partner | undefined
  readonly #read: GalleryOptions['read']
  readonly #now: () => number
  #valid: Readonly<ValidFeed & { validatedAt: number }> | undefined
  #attempt: Readonly<{ at: number; failure: FeedFailure | undefined }> | undefined
  #reading: Promise<void> | undefined

  constructor({ partner, read, now = Date.now }: GalleryOptions) {
    this.partner = partner
    this.#read = read
    this.#now = now
  }

  /**
   * Returns the latest attempt, the last valid feed if it can still be shown, and the failure of the latest attempt if
   * it failed.
   */
  async view() {
    const { partner } = this
    if (partner === undefined) return { attempt: undefined, shown: undefined, failure: undefined }
    if (this.#isDue()) this.#reading ??= this.#attemptReading(partner)
    if (this.#reading !== undefined && !this.#isShowable()) await this.#reading
    const attempt = this.#attempt && { ...this.#attempt, at: isoOf(this.#attempt.at) }
    const shown =
      this.#valid && this.#isShowable() ? { ...this.#valid, validatedAt: isoOf(this.#valid.validatedAt) } : undefined
    return { attempt, shown, failure: attempt?.failure }
  }

  #isDue(): boolean {
    const { at, failure } = this.#attempt ?? { at: -Infinity }
    return elapsed(at, this.#now()) >= (failure === undefined ? pace.revalidate : pace.retry)
  }

  #isShowable(): boolean {
    return this.#valid !== undefined && elapsed(this.#valid.validatedAt, this.#now()) < pace.keep
  }

  /** Reads the feed and keeps the outcome; never rejects. */
  async #attemptReading(partner: Partner): Promise<void> {
    const reading = await this.#read(partner.feed_url).catch((): FetchResult => ({ state: 'failed' }))
    const at = this.#now()
    const feed = reading.state === 'read' ? readFeed(reading.text, partner, at) : undefined
    if (feed !== undefined) this.#valid = { ...feed, validatedAt: at }
    this.#attempt = { at, failure: feed === undefined ? failureOf(reading) : undefined }
    this.#reading = undefined
  }
}

function failureOf(reading: FetchResult): FeedFailure {
  if (reading.state === 'timeout') return { reason: 'network', network_kind: 'timeout' }
  if (reading.state === 'failed') return { reason: 'network', network_kind: 'request-failed' }
  return reading.state === 'status' ? { reason: 'http', http_status: reading.status } : { reason: 'invalid-contract' }
}
