/** The states of an auction. Their order defines the ordinals in structural documents. */
export const states = ['draft', 'scheduled', 'live', 'ended', 'paid', 'cancelled'] as const
export type State = (typeof states)[number]

/** The decisions of an admin on a dispute: `open` takes it up, the others end it. */
export const disputeOutcomes = ['open', 'for_seller', 'for_buyer', 'split', 'dismissed'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** The states of a dispute. */
export const disputeStates = ['reported', ...disputeOutcomes] as const

/**
 * Who performs an act: `bidder` is any member other than seller and winner, `admin` an admin who is neither, `clock` a
 * transition that became due.
 */
export type Who = 'seller' | 'winner' | 'bidder' | 'admin' | 'clock'

/** One permitted act in a state; it may leave the state unchanged. */
export type Transition = Readonly<{ from: State | null; act: string; to: State; who: readonly Who[]; rule: string }>

const trade: readonly Who[] = ['seller', 'winner']

/**
 * All permitted transitions. Code checks against this table, the database has a copy of it, and pages, documents and
 * tests are derived from it.
 */
export const transitions = [
  { from: null, act: 'create', to: 'draft', who: ['seller'], rule: 'Anyone who is signed in and not suspended.' },
  {
    from: 'draft',
    act: 'edit',
    to: 'draft',
    who: ['seller', 'admin'],
    rule: 'What is offered and how can change until it is submitted.'
  },
  {
    from: 'draft',
    act: 'submit',
    to: 'scheduled',
    who: ['seller', 'admin'],
    rule: 'It ends in the future, and at most 30 days after its start.'
  },
  { from: 'draft', act: 'cancel', to: 'cancelled', who: ['seller', 'admin'], rule: 'At any time.' },
  { from: 'scheduled', act: 'approve', to: 'scheduled', who: ['admin'], rule: 'A consignment that waits for it.' },
  { from: 'scheduled', act: 'refuse', to: 'cancelled', who: ['admin'], rule: 'A consignment that waits for approval.' },
  {
    from: 'scheduled',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'At any time before it begins.'
  },
  {
    from: 'scheduled',
    act: 'begin',
    to: 'live',
    who: ['clock'],
    rule: 'Its start has come; a consignment was approved.'
  },
  {
    from: 'scheduled',
    act: 'lapse',
    to: 'cancelled',
    who: ['clock'],
    rule: 'Its end has come, and it was not approved.'
  },
  {
    from: 'live',
    act: 'bid',
    to: 'live',
    who: ['bidder'],
    rule: 'English: at least the minimum next bid. A bid in the last two minutes moves the end by two, at most ten times.'
  },
  {
    from: 'live',
    act: 'buy',
    to: 'ended',
    who: ['bidder'],
    rule: 'At least the price of the moment: the price of a Dutch auction or of a listing to buy now, or the buy-now price of an English one.'
  },
  {
    from: 'live',
    act: 'offer',
    to: 'live',
    who: ['bidder'],
    rule: 'Where the seller takes offers. Only the seller sees them.'
  },
  {
    from: 'live',
    act: 'accept',
    to: 'ended',
    who: ['seller'],
    rule: 'An open offer of somebody who may still buy, while nobody has bid as much.'
  },
  {
    from: 'live',
    act: 'end',
    to: 'ended',
    who: ['clock'],
    rule: 'Its end has come. The highest bid wins where it meets the reserve.'
  },
  {
    from: 'live',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'The seller while there is no bid; an admin at any time, with a reason.'
  },
  {
    from: 'ended',
    act: 'address',
    to: 'ended',
    who: ['winner'],
    rule: 'Where to send it. Only the seller and admins see it.'
  },
  {
    from: 'ended',
    act: 'paid',
    to: 'paid',
    who: ['admin'],
    rule: 'It has a winner, and an admin saw that the money has arrived.'
  },
  {
    from: 'ended',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'The seller when the winner has not paid within seven days; an admin at any time, with a reason.'
  },
  { from: 'paid', act: 'address', to: 'paid', who: ['winner'], rule: 'Until it is shipped.' },
  { from: 'paid', act: 'shipped', to: 'paid', who: ['seller', 'admin'], rule: 'Once.' },
  { from: 'paid', act: 'received', to: 'paid', who: ['winner', 'admin'], rule: 'Once, after it was shipped.' },
  { from: 'paid', act: 'review', to: 'paid', who: trade, rule: 'Once for each side, after it was received.' },
  {
    from: 'paid',
    act: 'dispute',
    to: 'paid',
    who: trade,
    rule: 'Once, until 30 days after it was received. It counts for nothing until an admin takes it up.'
  },
  { from: 'paid', act: 'decide', to: 'paid', who: ['admin'], rule: 'A dispute that is not decided yet, with a reason.' }
] as const satisfies readonly Transition[]

export type Act = (typeof transitions)[number]['act']

/** Returns the transition of an act from a state; undefined if there is none. */
export const transitionOf = (from: State | null, act: Act): Transition | undefined =>
  transitions.find(one => one.from === from && one.act === act)

/** Returns the acts that a role may perform in a state. */
export const actsIn = (from: State, who: Who): readonly Act[] =>
  transitions.filter(one => one.from === from && (one.who as readonly Who[]).includes(who)).map(({ act }) => act)
