import type { TObject } from 'typebox'
import { Type, nullable, type DataOf } from 'pantry/data'
import { elapsed } from '../../calendar.ts'
import type { Reading } from '../../outside/read-public.ts'
import { readFeed, type ValidFeed } from './feed.ts'
import type { Partner } from './partner.ts'

/** The reason why there is no feed. */
type NoFeed = Readonly<
  | { reason: 'network'; network_kind: 'timeout' | 'request-failed' }
  | { reason: 'http'; http_status: number }
  | { reason: 'invalid-contract' }
>

/** The members of a failure in responses; all are always present. */
export const FailureFacts = {
  reason: nullable(Type.Enum(['network', 'http', 'invalid-contract'])),
  network_kind: nullable(Type.Enum(['timeout', 'request-failed'])),
  http_status: nullable(Type.Integer())
}

export const failureFacts = (failure: NoFeed | undefined): DataOf<TObject<typeof FailureFacts>> => ({
  reason: null,
  network_kind: null,
  http_status: null,
  ...failure
})

/** The latest attempt to read the feed. */
type Attempt = Readonly<{ at: string; failure: NoFeed | undefined }>

/** What can be shown: the last valid feed with its own date, or the reason why there is none. */
type GalleryView = Readonly<{
  attempt: Attempt | undefined
  shown: Readonly<ValidFeed & { validatedAt: string }> | undefined
  failure: NoFeed | undefined
}>

type GalleryOptions = Readonly<{
  partner: Partner | undefined
  read: (url: string) => Promise<Reading>
  now?: () => number
}>

/**
 * The times in milliseconds after which a valid feed is read again, a failed reading is retried, and a feed that could
 * not be revalidated is no longer shown.
 */
export const pace = { revalidate: 3_600_000, retry: 300_000, keep: 86_400_000 } as const

const isoOf = (time: number): string => new Date(time).toISOString()

/**
 * Keeps the last valid feed of the partner in memory. After an hour, the next call starts a new reading, and callers
 * get the old feed meanwhile. A failed reading does not change the feed's date: it is shown for up to a day, together
 * with the failure.
 */
export class PartnerGallery {
  readonly partner: Partner | undefined
  readonly #read: GalleryOptions['read']
  readonly #now: () => number
  #held: Readonly<ValidFeed & { validatedAt: number }> | undefined
  #attempt: Readonly<{ at: number; failure: NoFeed | undefined }> | undefined
  #reading: Promise<void> | undefined

  constructor({ partner, read, now = Date.now }: GalleryOptions) {
    this.partner = partner
    this.#read = read
    this.#now = now
  }

  async view(): Promise<GalleryView> {
    const { partner } = this
    if (partner === undefined) return { attempt: undefined, shown: undefined, failure: undefined }
    if (this.#isDue()) this.#reading ??= this.#attemptReading(partner)
    if (this.#reading !== undefined && !this.#isShowable()) await this.#reading
    const attempt = this.#attempt && { at: isoOf(this.#attempt.at), failure: this.#attempt.failure }
    const shown =
      this.#held && this.#isShowable() ? { ...this.#held, validatedAt: isoOf(this.#held.validatedAt) } : undefined
    return { attempt, shown, failure: attempt?.failure }
  }

  #isDue(): boolean {
    if (this.#attempt === undefined) return true
    return (
      elapsed(this.#attempt.at, this.#now()) >= (this.#attempt.failure === undefined ? pace.revalidate : pace.retry)
    )
  }

  #isShowable(): boolean {
    return this.#held !== undefined && elapsed(this.#held.validatedAt, this.#now()) < pace.keep
  }

  /** Reads the feed and records the attempt; never rejects. */
  async #attemptReading(partner: Partner): Promise<void> {
    const reading = await this.#read(partner.feed_url).catch((): Reading => ({ state: 'failed' }))
    const at = this.#now()
    const feed = reading.state === 'read' ? readFeed(reading.text, partner, at) : undefined
    if (feed !== undefined) this.#held = { ...feed, validatedAt: at }
    this.#attempt = { at, failure: feed === undefined ? failureOf(reading) : undefined }
    this.#reading = undefined
  }
}

function failureOf(reading: Reading): NoFeed {
  switch (reading.state) {
    case 'timeout':
      return { reason: 'network', network_kind: 'timeout' }
    case 'failed':
      return { reason: 'network', network_kind: 'request-failed' }
    case 'status':
      return { reason: 'http', http_status: reading.status }
    case 'read':
    case 'unusable':
      return { reason: 'invalid-contract' }
  }
}
