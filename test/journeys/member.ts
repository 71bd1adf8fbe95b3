import { holds, journey } from './journey.ts'
import { serveCards } from './with-checkout.ts'
import { operate, signedIn } from './with-people.ts'
import { visitor, wordsOf } from './with-visitor.ts'

type Kept = Readonly<{ data: Readonly<{ id: string; taken_back_at: string }> }>
type Replies = Readonly<{ data: Readonly<{ replies: readonly Readonly<{ about: string | null; reply: string }>[] }> }>
type Waiting = Readonly<{ id: string; report?: Readonly<{ observation: string }>; reply?: string | null }>

const card = 'op-op01-001-en'
const answer = 'Thank you: the source was asked, and the next import has it.'

/** What is wrong is said once, and what came of it is read. */
export default journey(
  'member',
  'reports a fact that is wrong, and an offer that is, and hears what came of both',
  async travel => {
    const { step, todo, knows } = travel
    const service = await step('the service is there', async () => await serveCards(travel))
    const { ada, sela } = await step('they have accounts', async () => await signedIn(travel, service, ['ada', 'sela']))
    const stranger = visitor(service)

    const product = await step('reads a fact on the page of a card, and who says so', async () => {
      const html = await ada.read(`/product/${card}`)
      const words = wordsOf(html)
      holds(
        /Colours Red/.test(words) && words.includes('One Piece Card Game JSON'),
        'the page has the fact and its source'
      )
      return html
    })
    if (!/href="[^"]*(?:feedback|report)/.test(product))
      todo('reports it from there', 'The page of a card leads to no way to report what is wrong with it.')
    knows('/api/v1/feedback, which the answers and the texts of the API name, and no page')
    await step('reads how a report is made, and that one is not whole without what it is about', async () => {
      const { data } = await ada.json<{ data: { submission_over_http: { kept_with_consent: string } } }>(
        '/api/v1/feedback'
      )
      await ada.json(data.submission_over_http.kept_with_consent, {
        body: { report: { kind: 'contract-drift', observation: 'The colour is wrong.' }, consent: { keep: true } },
        status: 400
      })
      await ada.json(data.submission_over_http.kept_with_consent, {
        body: { report: { kind: 'general', observation: 'The colour is wrong.' }, consent: { keep: false } },
        status: 400
      })
    })
    const observation = 'The card is said to be red alone; the one in my hand is red and green.'
    const send = async (isPublic: boolean, text: string): Promise<Kept['data']> =>
      (
        await ada.json<Kept>('/api/v1/feedback/kept', {
          body: {
            report: { kind: 'contract-drift', endpoint: `/api/v1/universal/card/${card}`, observation: text },
            consent: { keep: true, reply_may_be_public: isPublic }
          }
        })
      ).data
    const [fact, quiet] = await step('sends it, once to be answered in public and once not', async () => [
      await send(true, observation),
      await send(false, `${observation} Please do not publish the reply.`)
    ])
    await step('the operator reads it, and answers', async () => {
      const waiting = JSON.parse(await operate(travel, 'inbox list --format json')) as Waiting[]
      holds(
        waiting.length === 2 && waiting.some(({ report }) => report?.observation === observation),
        'both reports are there'
      )
      await operate(travel, `inbox reply ${fact.id} --reply "${answer}"`)
      await operate(travel, `inbox reply ${quiet.id} --reply "This one is for you alone."`)
    })
    await step('reads the answer, and nobody reads the report', async () => {
      const {
        data: { replies }
      } = await ada.json<Replies>('/api/v1/feedback/replies')
      holds(replies.length === 1 && replies[0]?.reply === answer, 'the public answer is there, and it alone')
      holds(replies[0].about?.includes('/universal/card/'), 'it says what it is about')
      holds(!JSON.stringify(replies).includes('in my hand'), 'no word of the report is shown')
    })
    if (!JSON.stringify(await ada.json('/api/v1/account/export')).includes('for you alone'))
      todo(
        'reads an answer that is for them alone',
        'A report that was kept belongs to no account: whoever wants no public reply hears nothing.'
      )
    await step('takes the other one back', async () => {
      await ada.json(quiet.taken_back_at, { body: { id: quiet.id } })
      holds(
        (JSON.parse(await operate(travel, 'inbox list --format json')) as Waiting[]).every(({ id }) => id !== quiet.id),
        'it is deleted'
      )
      await ada.json(quiet.taken_back_at, { body: { id: quiet.id }, status: 404 })
    })

    const offer = await step('somebody offers a card that is none', async () => {
      const { auction_id: id } = await sela.json<{ auction_id: string }>('/api/auctions', {
        body: {
          sku: card,
          title: 'Not what it says',
          condition: 'NM',
          auction_type: 'english',
          starting_price: 500,
          ends_at: new Date(Date.now() + 48 * 3_600_000).toISOString()
        }
      })
      await sela.json(`/api/auctions/${id}/submit`, { body: {} })
      return id
    })
    await step('reports the offer on its page', async () => {
      await ada.press(`/auctions/${offer}`, 'Report it', {
        ground: 'fraud',
        text: 'The picture of the card is of another one.'
      })
      holds(/What you reported.*listing/.test(wordsOf(await ada.read('/account'))), 'the account shows that it waits')
    })
    await step('the operator decides, and the offer is gone', async () => {
      const [report] = JSON.parse(await operate(travel, 'reports list --format json')) as Waiting[]
      holds(report, 'the report waits')
      await operate(travel, `reports remove ${report.id} --reason "It offers a card that is none."`)
      await stranger.json(`/api/auctions/${offer}`, { status: 404 })
    })
    await step('reads in the account what came of it, and is named to nobody', async () => {
      holds(/What you reported.*removed/.test(wordsOf(await ada.read('/account'))), 'the decision is there')
      holds(!(await sela.read('/account/auctions')).includes('ada'), 'whoever was reported does not learn by whom')
    })
  }
)
