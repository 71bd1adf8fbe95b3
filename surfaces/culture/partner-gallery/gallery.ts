import type { TObject } from 'typebox'
import { Type, nullable, type DataOf } from 'pantry/data'
import { elapsed } from '../../calendar.ts'
import type { Reading } from '../../outside/read-public.ts'
import { readFeed, type ValidFeed } from './feed.ts'
import type { Partner } from './partner.ts'

/** Why there is no feed. */
export type Failure = Readonly<
  | { reason: 'network'; network_kind: 'timeout' | 'request-failed' }
  | { reason: 'http'; http_status: number }
  | { reason: 'invalid-contract' }
>

/** A failure as an answer tells it: every member is there. */
export const FailureFacts = {
  reason: nullable(Type.Enum(['network', 'http', 'invalid-contract'])),
  network_kind: nullable(Type.Enum(['timeout', 'request-failed'])),
  http_status: nullable(Type.Integer())
}

export const failureFacts = (failure: Failure | undefined): DataOf<TObject<typeof FailureFacts>> => ({
  reason: null,
  network_kind: null,
  http_status: null,
  ...failure
})

/** The newest attempt to read the feed. */
type Attempt = Readonly<{ at: string; failure: Failure | undefined }>

/** What can be shown now: the last validated feed with its own date, or why there is none. */
type GalleryView = Readonly<{
  attempt: Attempt | undefined
  shown: Readonly<ValidFeed & { validatedAt: string }> | undefined
  failure: Failure | undefined
}>

type GalleryOptions = Readonly<{
  partner: Partner | undefined
  read: (url: string) => Promise<Reading>
  now?: () => number
}>

/**
 * Milliseconds until a validated feed is read again, until a failed reading is repeated, and until a feed that could
 * not be validated again is no longer shown.
 */
export const pace = { revalidate: 3_600_000, retry: 300_000, keep: 86_400_000 } as const

const isoOf = (time: number): string => new Date(time).toISOString()

/**
 * Holds the last validated feed of the partner in memory. It is read again an hour after it was validated, when
 * somebody asks; who asks meanwhile is shown the one that is held. A failed reading never changes its date: the feed
 * stays for a day, with the failure beside it.
 */
export class PartnerGallery {
  readonly partner: Partner | undefined
  readonly #read: GalleryOptions['read']
  readonly #now: () => number
  #held: Readonly<ValidFeed & { validatedAt: number }> | undefined
  #attempt: Readonly<{ at: number; failure: Failure | undefined }> | undefined
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

  /** Never rejects. */
  async #attemptReading(partner: Partner): Promise<void> {
    const reading = await this.#read(partner.feed_url).catch((): Reading => ({ state: 'failed' }))
    const at = this.#now()
    const feed = reading.state === 'read' ? readFeed(reading.text, partner, at) : undefined
    if (feed !== undefined) this.#held = { ...feed, validatedAt: at }
    this.#attempt = { at, failure: feed === undefined ? failureOf(reading) : undefined }
    this.#reading = undefined
  }
}

function failureOf(reading: Reading): Failure {
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
