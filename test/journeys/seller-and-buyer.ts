import { startMailServer } from '../support/mail-server.ts'
import { holds, journey } from './journey.ts'
import { serveCards } from './with-checkout.ts'
import { operate, signedIn } from './with-people.ts'
import { visitor, wordsOf } from './with-visitor.ts'

type Amount = Readonly<{ pence: number }>
type Auction = Readonly<{
  status: string
  viewer_role: string
  bid_count: number
  current_price: Amount
  min_next_bid: Amount | null
  shipping_address?: string | null
  reviewed_by?: readonly string[]
}>
type Offers = Readonly<{ offers: readonly Readonly<{ offer: number; amount: Amount }>[] }>
type Trust = Readonly<{ data: Readonly<{ trust_score: number }> }>

const address = 'buyer@example.org'
const home = '1 Harbour Street, Utrecht'

/** One sells by requests, the other buys by pages without scripts; the operator has the command line. */
export default journey(
  'seller-and-buyer',
  'sell a card and buy it, from their accounts to both ratings',
  async travel => {
    const { step, todo, knows } = travel
    const mail = await startMailServer({ teardown: travel.finally })
    const service = await step(
      'the service is there, where everyone may make an account',
      async () => await serveCards(travel, { PANTRY_SIGN_UP: 'open', PANTRY_SMTP_URL: mail.url })
    )
    const [buyer, stranger] = [visitor(service), visitor(service)]

    await step('the buyer signs up, with a code that comes by mail', async () => {
      const asked = await buyer.press('/account/sign-up', 'Mail me a code', { address })
      const { text } = await mail.next(address)
      const [, code] = /\b([0-9A-Z]{5}-[0-9A-Z]{5})\b/.exec(text) ?? []
      holds(code, `the letter has a code: ${text.slice(-400)}`)
      const made = await buyer.press(asked, 'Make the account', { username: 'boas', code })
      holds(made.path === '/account' && wordsOf(made.html).includes('boas'), 'the buyer is signed in')
    })
    const seller = await step(
      'the seller is added by the operator, and agrees that their profile is shown',
      async () => {
        const { sela } = await signedIn(travel, service, ['sela'])
        await stranger.json('/api/v1/users/sela/trust', { status: 404 })
        await sela.press('/account', 'Share', { scope: 'profile' })
        return sela
      }
    )
    const before = (await stranger.json<Trust>('/api/v1/users/sela/trust')).data.trust_score

    const post = async (
      who: typeof seller,
      path: string,
      body: object,
      status = 200
    ): Promise<Readonly<{ auction_id: string }>> => await who.json(path, { body, status })
    knows('that amounts are whole pence in requests, and pounds in the fields of pages')
    const id = await step('the seller drafts an auction, and submits it', async () => {
      const { auction_id: drafted } = await post(seller, '/api/auctions', {
        sku: 'op-op01-001-en',
        title: 'Zoro, open to offers',
        condition: 'NM',
        auction_type: 'english',
        starting_price: 500,
        allow_best_offer: true,
        ends_at: new Date(Date.now() + 48 * 3_600_000).toISOString()
      })
      await stranger.json(`/api/auctions/${drafted}`, { status: 404 })
      await post(seller, `/api/auctions/${drafted}/submit`, {})
      holds((await stranger.json<Auction>(`/api/auctions/${drafted}`)).status === 'live', 'everyone sees it now')
      return drafted
    })
    const at = `/auctions/${id}`
    const seen = async (who: typeof seller): Promise<Auction> => await who.json<Auction>(`/api${at}`)
    const list = wordsOf(await stranger.read('/auctions'))
    if (!list.includes('Roronoa Zoro'))
      todo(
        'the buyer finds it by the name of the card',
        'The list and the page of an auction name the SKU alone, and there is no filter by name or game.'
      )
    await step('the buyer finds it in the list, and bids too little first', async () => {
      holds(list.includes('Zoro, open to offers'), 'the list has it')
      holds(
        /least that counts now is £5\.00/.test(
          wordsOf((await buyer.press(at, 'Place the bid', { amount: '4.99' }, 409)).html)
        ),
        'the page says how much it must be'
      )
      await buyer.press(at, 'Place the bid', { amount: '5' })
      const { bid_count: bids, current_price: price } = await seen(stranger)
      holds(bids === 1 && price.pence === 500, 'the bid counts')
    })
    await step('somebody else bids more, and the buyer makes an offer', async () => {
      const { cyd } = await signedIn(travel, service, ['cyd'])
      const { min_next_bid: next } = await seen(cyd)
      await post(cyd, `/api${at}/bids`, { amount: next?.pence ?? 0 })
      await buyer.press(at, 'Make an offer', { amount: '18.50' })
      holds(!JSON.stringify(await stranger.json(`/api${at}/bids`)).includes('1850'), 'an offer is for the seller alone')
    })
    await step('the seller takes the offer, and the auction is over', async () => {
      const {
        offers: [offer]
      } = await seller.json<Offers>(`/api${at}/bids`)
      holds(offer?.amount.pence === 1850, 'the seller sees it')
      await post(seller, `/api${at}/accept`, { offer: offer.offer })
      const sold = await seen(buyer)
      holds(
        sold.status === 'ended' && sold.viewer_role === 'winner' && sold.current_price.pence === 1850,
        'the buyer has it'
      )
    })
    await step('the buyer says where to, and pays the seller, which the operator records', async () => {
      await buyer.press(at, 'Give the address', { address: home })
      holds((await operate(travel, 'market list')).includes(id), 'the operator sees that a payment is due')
      await operate(travel, `market paid ${id} --reason "It came by bank transfer."`)
    })
    await step('the seller reads the address, and sends the card', async () => {
      holds((await seen(seller)).shipping_address === home, 'the seller has the address')
      holds(!(await stranger.read(at)).includes('Harbour Street'), 'nobody else has it')
      await post(seller, `/api${at}/shipped`, { carrier: 'Post', tracking_number: 'RR123' })
    })
    await step('it arrives, and both rate each other', async () => {
      holds(wordsOf(await buyer.read(at)).includes('RR123'), 'the buyer can follow the parcel')
      await buyer.press(at, 'It has arrived')
      await buyer.press(at, 'Review', { stars: '5', text: 'Just as it was described.' })
      await post(seller, `/api${at}/review`, { stars: 5, text: 'Paid at once.' })
      holds(JSON.stringify([...((await seen(seller)).reviewed_by ?? [])].sort()) === '["seller","winner"]', 'both have')
      await post(seller, `/api${at}/review`, { stars: 1 }, 409)
    })
    await step('it counts for the seller, and says nothing of the buyer', async () => {
      const after = (await stranger.json<Trust>('/api/v1/users/sela/trust')).data.trust_score
      holds(after > before, `the trust rose from ${before} to ${after}`)
      holds(wordsOf(await stranger.read('/u/sela/trust')).includes(String(after)), 'the page says the same')
      for (const text of [await stranger.read(at), JSON.stringify(await seen(stranger))])
        holds(
          !/boas|Harbour Street|Just as it was/.test(text),
          'strangers read neither names, nor addresses, nor words'
        )
      await stranger.json('/api/v1/users/boas/trust', { status: 404 })
    })
  }
)
