import type { VNode } from 'pantry/page'
import { showMoney } from '../money.ts'
import type { PublicAuction } from '../views.ts'
import { conditionNames, standing, typeNames, whatWillHappen } from './words.ts'

/** An auction in prose: nothing counts down, and nothing asks to be done. */
export const CalmWords = ({ of: auction, back }: Readonly<{ of: PublicAuction, back: string }>): VNode => (
  <>
    <p class="lead">A member offers the card <a href={`/product/${encodeURIComponent(auction.sku)}`}>{auction.sku}</a>, {conditionNames[auction.condition]}. It is {auction.auction_type === 'english' ? 'an' : 'a'} {typeNames[auction.auction_type]}, from {showMoney(auction.starting_price)}.</p>
    {auction.description !== '' && <p>The seller writes: {auction.description}</p>}
    <p>{standing(auction)}</p>
    {auction.status === 'live' && <p>{whatWillHappen(auction).join(' ')}</p>}
    <p>There is no hurry here: nothing is offered only today, nobody is watching you, and other copies of a card come again. Each amount is what a participant states; none is a reference price.</p>
    <p><a href={back}>The auction with its bids</a></p>
  </>
)
