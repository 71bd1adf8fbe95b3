import { Agent, request } from 'node:http'
import { openAccounts } from '../../../surfaces/people/open.ts'
import type { Database } from '../../../core/database/database.ts'

/** Somebody who is signed in. */
export type Member = Readonly<{ person: string; name: string; cookie: string }>
/** What was asked, and what came of it: `status` 0 is no answer. */
export type Answer = Readonly<{
  member: Member
  auction: string
  act: string
  amount: number
  service: string
  status: number
  ms: number
  retryAfter: string | undefined
  code: string | undefined
  details: Readonly<Record<string, unknown>>
  done: Readonly<{ status?: string; amount?: number }>
}>

/** People with sessions, as the service gives them. */
export async function signedIn(database: Database, names: readonly string[]): Promise<readonly Member[]> {
  const {
    services: { people, signIn }
  } = openAccounts(database, 'http://127.0.0.1:8080')
  const members: Member[] = []
  for (const name of names) {
    const { id } = await people.add(name, [])
    const session = await signIn.withCode(name, await signIn.issueCode(id))
    members.push({ person: id, name, cookie: `pantry_session=${session?.secret ?? ''}` })
  }
  return members
}

/** Requests of members to services, over connections that stay open. */
export class Crowd {
  readonly #agent = new Agent({ keepAlive: true })
  readonly answers: Answer[] = []

  /** Asks a service to do something with an auction, and keeps what it answered. */
  async ask(
    service: string,
    member: Member,
    auction: string,
    act: string,
    body: Readonly<Record<string, unknown>> = {}
  ): Promise<Answer> {
    const began = performance.now()
    const { status, text, retryAfter } = await this.#send(
      `${service}/api/auctions/${auction}/${act}`,
      member.cookie,
      JSON.stringify(body)
    )
    const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      error?: { code: string; details?: Record<string, unknown> }
      status?: string
      amount?: number
    }
    const amount = typeof body['amount'] === 'number' ? body['amount'] : 0
    const answer: Answer = {
      member,
      auction,
      act,
      amount,
      service,
      status,
      ms: performance.now() - began,
      retryAfter,
      code: parsed.error?.code,
      details: parsed.error?.details ?? {},
      done: parsed
    }
    this.answers.push(answer)
    return answer
  }

  #send(
    url: string,
    cookie: string,
    body: string
  ): Promise<Readonly<{ status: number; text: string; retryAfter: string | undefined }>> {
    return new Promise(resolve => {
      const failed = (): void => {
        resolve({ status: 0, text: '', retryAfter: undefined })
      }
      const sent = request(
        url,
        {
          agent: this.#agent,
          method: 'POST',
          timeout: 20_000,
          headers: { Cookie: cookie, 'Content-Type': 'application/json', 'Content-Length': body.length }
        },
        response => {
          let text = ''
          response
            .setEncoding('utf8')
            .on('data', chunk => {
              text += String(chunk)
            })
            .on('end', () => {
              resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] })
            })
            .on('error', failed)
        }
      )
      sent
        .on('timeout', () => {
          sent.destroy()
        })
        .on('error', failed)
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

type Stored = Readonly<{ auction: string; bidder: string; kind: string; amount: number; at: string }>

type Terms = Readonly<{ starting_price: number; bid_increment: number | null; ends_at: string; winner: string | null }>

/**
 * What is wrong with the answers, beside what is stored: each bid that was answered with 200 is there, each that is
 * there was answered so or not at all, and each refusal says why.
 */
export async function wrongAnswers(
  { bulk }: Database,
  answers: readonly Answer[],
  ids: readonly string[]
): Promise<readonly string[]> {
  const stored = await bulk('auction_bids')
    .whereIn('auction', [...ids])
    .orderBy('id')
    .select<Stored[]>()
  const terms = new Map(
    (
      await bulk('auctions')
        .whereIn('id', [...ids])
        .select<(Terms & Readonly<{ id: string }>)[]>()
    ).map(row => [row.id, row])
  )
  const keyOf = (auction: string, bidder: string, act: string, amount: number): string =>
    `${auction} ${bidder} ${act} ${amount}`
  const there = new Map<string, number>()
  for (const { auction, bidder, kind, amount } of stored)
    there.set(
      keyOf(auction, bidder, kind === 'offer' ? 'offers' : 'bids', amount),
      (there.get(keyOf(auction, bidder, kind === 'offer' ? 'offers' : 'bids', amount)) ?? 0) + 1
    )
  const faults: string[] = []
  const asked = answers.filter(({ act }) => act === 'bids' || act === 'offers')
  for (const one of asked.filter(({ status }) => status === 200)) {
    const key = keyOf(one.auction, one.member.person, one.act, one.done.amount ?? 0)
    if ((there.get(key) ?? 0) === 0) faults.push(`lost: ${key} was answered with 200`)
    there.set(key, (there.get(key) ?? 0) - 1)
  }
  const unanswered = new Set(
    asked
      .filter(({ status }) => status === 0 || status === 503)
      .map(one => keyOf(one.auction, one.member.person, one.act, one.amount))
  )
  for (const [key, left] of there)
    if (left > 0 && !unanswered.has(key)) faults.push(`${left} more than answered: ${key}`)
  for (const one of asked.filter(({ status }) => status !== 200 && status !== 0)) {
    const reason = reasonFor(
      one,
      stored.filter(({ auction, kind }) => auction === one.auction && kind !== 'offer'),
      terms.get(one.auction)
    )
    if (!reason)
      faults.push(
        `${one.act} of ${one.amount} was refused with ${one.status} ${one.code ?? ''} ${JSON.stringify(one.details)}`
      )
  }
  return faults
}

/**
 * Whether a refusal says what was so: too little beside what was bid by then, over, won by whoever asks, no money left,
 * or the database away.
 */
function reasonFor(
  { member, status, code, details, amount, retryAfter }: Answer,
  bids: readonly Stored[],
  terms: Terms | undefined
): boolean {
  if (status === 503) return code === 'SOURCE_UNAVAILABLE' && Number(retryAfter) > 0
  if (status === 403 && details['act'] === 'bid') return terms?.winner === member.person
  if (status === 403)
    return (
      code === 'FORBIDDEN' &&
      (details['limit'] === 'trade_limit'
        ? amount > 5000
        : details['limit'] === 'daily_limit' && Number(details['begun']) + amount > 10_000)
    )
  if (status !== 409 || code !== 'CONFLICT' || terms === undefined) return false
  if (details['status'] === 'ended') return true
  const [least, at] = [Number(details['min_next_bid']), Date.parse(String(details['at']))]
  const before = bids.findLast(bid => Date.parse(bid.at) <= at && bid.amount + (terms.bid_increment ?? 0) <= least)
  return (
    amount < least &&
    (before === undefined ? least === terms.starting_price : least === before.amount + (terms.bid_increment ?? 0)) &&
    at < Date.parse(terms.ends_at)
  )
}
