/** Everybody: 0 sells, 1 to 3 bid, 4 is an admin. */
export type Step = Readonly<{ who: number; on: number; what: string; amount: number; crash: boolean }>
export type Terms = Readonly<{
  type: 'english' | 'dutch' | 'buy_now'
  start: number
  step: number
  reserve: number | null
  buyNow: number | null
  takesOffers: boolean
  isConsignment: boolean
}>
type Flags = Record<'shipped' | 'received' | 'removed' | 'submitted' | 'waits' | 'refused' | 'unpaid' | 'over', boolean>

/** One auction as the model has it: a second telling of all that can come of one, act after act. */
export class ModelAuction {
  status = 'draft'
  bids: { who: number; amount: number; wins: boolean }[] = []
  offers = new Map<number, number>()
  sale: { who: number; amount: number } | null = null
  drops = 0
  dispute: string | null = null
  readonly reviewed = new Set<number>()
  readonly is: Flags = {
    shipped: false,
    received: false,
    removed: false,
    submitted: false,
    waits: false,
    refused: false,
    unpaid: false,
    over: false
  }
  terms: Terms
  constructor(terms: Terms) {
    this.terms = terms
  }

  get top() {
    return this.bids.at(-1)
  }
  get price(): number | null {
    return this.terms.type === 'dutch'
      ? Math.max(100, this.terms.start - this.drops * 500)
      : this.terms.type === 'buy_now'
        ? this.terms.start
        : this.terms.buyNow
  }
  get least(): number {
    if (this.terms.type !== 'english') return this.price ?? 0
    const open = this.top === undefined ? this.terms.start : this.top.amount + this.terms.step
    return Math.min(open, this.price ?? open)
  }

  /** What somebody is bound to by it. */
  bound(who: number): number {
    if (this.status === 'live') return Math.max(this.offers.get(who) ?? 0, this.top?.who === who ? this.top.amount : 0)
    return ['ended', 'paid'].includes(this.status) && this.sale?.who === who ? this.sale.amount : 0
  }

  #sell(to: string, sale: typeof this.sale): void {
    ;[this.status, this.sale, this.offers] = [to, sale, new Map<number, number>()]
  }

  /** What is due. */
  pass(suspended: ReadonlySet<number>): void {
    if (!this.is.over || !['scheduled', 'live'].includes(this.status)) return
    const best = this.bids.findLast(({ who }) => !suspended.has(who))
    if (this.is.waits) this.#sell('cancelled', null)
    else this.#sell('ended', best !== undefined && best.amount >= (this.terms.reserve ?? 0) ? best : null)
  }

  /** The reason that something is refused for; undefined where it is done, and then it is. */
  act(
    { who, what, amount }: Step,
    suspended: ReadonlySet<number>,
    elsewhere: (who: number) => number,
    dry: boolean
  ): string | undefined {
    const isHidden = !this.is.submitted || this.is.waits || this.is.refused || this.is.removed || suspended.has(0)
    if (isHidden && who !== 0 && who !== 4 && who !== this.sale?.who) return 'NOT_FOUND'
    // An admin who is a party is nothing else.
    const party = who === 0 ? 'seller' : who === this.sale?.who ? 'winner' : 'bidder'
    const roles = [party, who === 4 && party === 'bidder' ? 'admin' : '']
    const rules: Record<string, readonly [string, string]> = {
      edit: ['seller admin', 'draft'],
      submit: ['seller admin', 'draft'],
      approve: ['admin', 'scheduled'],
      refuse: ['admin', 'scheduled'],
      cancel: ['seller admin', 'draft scheduled live ended'],
      remove: ['seller admin', 'draft scheduled live ended'],
      bid: ['bidder', 'live'],
      offer: ['bidder', 'live'],
      accept: ['seller', 'live'],
      paid: ['admin', 'ended'],
      address: ['winner', 'ended paid'],
      shipped: ['seller admin', 'paid'],
      received: ['winner admin', 'paid'],
      review: ['seller winner', 'paid'],
      dispute: ['seller winner', 'paid'],
      decide: ['admin', 'paid']
    }
    const [whose, when] = rules[what] ?? ['', '']
    if (!roles.some(role => role !== '' && whose.split(' ').includes(role))) return 'FORBIDDEN act'
    if (!when.split(' ').includes(this.status)) return 'CONFLICT status'
    const over = (bound: number, sum: number): string | undefined =>
      suspended.has(bound) ? 'FORBIDDEN' : sum > 5000 || elsewhere(bound) + sum > 10_000 ? 'FORBIDDEN limit' : undefined
    const done = (change: () => void): string | undefined => {
      if (!dry) change()
      return undefined
    }
    switch (what) {
      case 'edit': {
        const { type, reserve, buyNow } = this.terms
        const least = Math.max(amount, reserve ?? 0)
        if (
          (type === 'dutch' && amount <= 100) ||
          (reserve !== null && reserve < amount) ||
          (buyNow !== null && buyNow < least)
        )
          return 'INVALID_INPUT field'
        return done(() => {
          this.terms = { ...this.terms, start: amount }
        })
      }
      case 'submit':
        return done(() => {
          ;[this.status, this.is.submitted, this.is.waits] = [
            this.terms.isConsignment ? 'scheduled' : 'live',
            true,
            this.terms.isConsignment
          ]
        })
      case 'approve':
      case 'refuse':
        return !this.is.waits
          ? 'CONFLICT approval'
          : done(() => {
              ;[this.is.waits, this.is.refused, this.status] = [
                false,
                what === 'refuse',
                what === 'refuse' ? 'cancelled' : 'live'
              ]
            })
      case 'cancel':
      case 'remove':
        if (what === 'remove' && who !== 4) return 'INVALID_INPUT field'
        if (who === 0 && this.status === 'live' && this.bids.length > 0) return 'CONFLICT bid_count'
        if (who === 0 && this.status === 'ended') {
          if (this.sale === null) return 'CONFLICT status'
          if (!this.is.unpaid) return 'CONFLICT payment_expires_at'
        }
        return done(() => {
          ;[this.status, this.is.removed, this.offers] = ['cancelled', what === 'remove', new Map<number, number>()]
        })
      case 'bid': {
        if (amount < this.least) return 'CONFLICT min_next_bid'
        const { price } = this
        const buys = price !== null && amount >= price
        const pays = buys ? price : amount
        return (
          over(who, pays) ??
          done(() => {
            this.bids.push({ who, amount: pays, wins: buys })
            if (buys) this.#sell('ended', { who, amount: pays })
          })
        )
      }
      case 'offer':
        if (!this.terms.takesOffers) return 'CONFLICT allow_best_offer'
        if (this.price !== null && amount >= this.price) return 'INVALID_INPUT field'
        return (
          over(who, amount) ??
          done(() => {
            this.offers.set(who, amount)
          })
        )
      case 'accept': {
        const [by, sum] = [...this.offers].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])
        if (sum === 0 || sum <= (this.top?.amount ?? 0) || over(by, sum) !== undefined) return 'CONFLICT field'
        return done(() => {
          this.#sell('ended', { who: by, amount: sum })
        })
      }
      case 'paid':
        return this.sale === null
          ? 'CONFLICT status'
          : done(() => {
              this.status = 'paid'
            })
      case 'address':
        return this.is.shipped ? 'CONFLICT shipped_at' : undefined
      case 'shipped':
        return this.is.shipped
          ? 'CONFLICT shipped_at'
          : done(() => {
              this.is.shipped = true
            })
      case 'received':
        return !this.is.shipped || this.is.received
          ? 'CONFLICT shipped_at'
          : done(() => {
              this.is.received = true
            })
      case 'review':
        return !this.is.received
          ? 'CONFLICT received_at'
          : this.reviewed.has(who)
            ? 'CONFLICT by'
            : done(() => {
                this.reviewed.add(who)
              })
      case 'dispute':
        return this.dispute !== null
          ? 'CONFLICT dispute'
          : done(() => {
              this.dispute = 'reported'
            })
      default:
        return this.dispute !== 'reported'
          ? 'CONFLICT dispute'
          : done(() => {
              this.dispute = 'dismissed'
            })
    }
  }
}
