import { holds, journey } from './journey.ts'
import { serveCards } from './with-checkout.ts'
import { browserPage, visitor } from './with-visitor.ts'

type Named = Readonly<{
  matches: readonly Readonly<{ name: string; sku: string; card_number: string; printings: number }>[]
  next_step: string | null
}>
type Sibling = Readonly<{
  sku: string
  lang: string
  variant: string | null
  is_self: boolean
  variant_kind: string
  variant_kind_reason: string
}>
type Everything = Readonly<{ siblings: readonly Sibling[]; card: Readonly<{ price?: unknown; image?: unknown }> }>
type Card = Readonly<{
  '@content_hash': string
  sku: string
  card_number: string
  attributes: Readonly<Record<string, unknown>>
}>

/** What is remembered of a card: nearly its name, and a few things that are printed on it. */
const remembered = { name: 'roronoa zorro', colour: 'Red', category: 'leader', power: 5000 }
const meant = 'OP01-001'

/** From what is remembered to one printing. */
export default journey(
  'collector',
  'looks for a card by what they remember, and tells its printings apart',
  async travel => {
    const { step, todo, knows } = travel
    const service = await step('the service is there', async () => await serveCards(travel))
    const { json } = visitor(service)

    const page = await browserPage(travel, 'looks for it in a browser')
    if (page !== undefined) {
      knows('of which game the card is')
      await step('opens the first page, and writes the name as they remember it', async () => {
        await page.goto(service.url)
        await page.fill('main input[name=q]', remembered.name)
        await page.selectOption('select[name=game]', { label: 'One Piece' })
        await page.locator('main').getByRole('button', { name: 'Search' }).click()
        holds(
          (await page.locator('main tbody tr').allInnerTexts()).some(
            row => row.includes('Roronoa Zoro') && row.includes(meant)
          ),
          'a mistake in the name still finds the card'
        )
      })
      todo(
        'says in the box of the page that it is a red leader',
        'The search of the page takes a name, a number or a SKU; what is printed on a card can be asked for over HTTP alone.'
      )
      knows('in which set it was, to choose among cards of one name in the browser')
      await step('goes on to it by links: the game, the set, its leaders', async () => {
        await page.goto(service.url)
        for (const link of ['Cards', 'One Piece Card Game', 'ROMANCE DAWN', 'Table', 'Rarity'])
          await page.getByRole('link', { name: link, exact: true }).first().click()
        const row = page
          .locator('main tbody tr')
          .filter({ hasText: 'Roronoa Zoro' })
          .filter({ has: page.getByRole('cell', { name: 'L', exact: true }) })
        holds((await row.count()) === 1, 'one leader of the set has that name')
        await row.getByRole('link').first().click()
        await page.waitForURL(/\/op01-\d+$/)
        const text = await page.locator('main').innerText()
        for (const words of [meant, remembered.colour, remembered.category, String(remembered.power)])
          holds(text.includes(words), `the page of the card says ${words}`)
      })
      const table = page.locator('.printings table')
      await step('sees its printings, and opens the Japanese one', async () => {
        holds((await table.getByRole('link').count()) > 2, 'it has several printings')
        await table.getByRole('link', { name: 'Japanese, ordinary' }).click()
        await page.waitForURL(`${service.url}/product/op-op01-001-ja`)
        holds(
          /Language\s+Japanese/.test(await page.locator('main').innerText()),
          'the page is that of the Japanese printing'
        )
        holds((await table.getByText('This printing').count()) === 1, 'one of them is the one that is looked at')
      })
      await step('tells a first edition and a foil from the others', async () => {
        await page.goto(`${service.url}/prices/search?q=ARC159&game=fab`)
        await page.getByRole('link', { name: 'Command and Conquer' }).first().click()
        const shown = await Promise.all(
          (
            await table
              .getByRole('link')
              .evaluateAll(links => links.map(link => (link as unknown as { href: string }).href))
          ).map(
            async href =>
              /Variant\s+(?<variant>.+)/.exec(
                wordLines(await (await fetch(href, { headers: { accept: 'text/html' } })).text())
              )?.groups?.['variant']
          )
        )
        holds(
          shown.length > 2 && new Set(shown).size === shown.length,
          `each printing has a variant of its own: ${shown.join(', ')}`
        )
      })
      if ((await table.getByText('Nothing says how it differs').count()) > 0)
        todo(
          'reads in the table of printings which is the first edition',
          'Its variant says so on its own page; the table says that nothing does.'
        )
      await step('asks what it is worth, and reads why nobody says', async () => {
        await page.getByRole('link', { name: 'The market of this card' }).click()
        const text = await page.locator('main').innerText()
        holds(text.includes('No price is published') && !/[£€$¥]\s?\d/.test(text), 'the reason is given, and no price')
      })
    }

    knows('that what is printed is asked for as attribute.<name>, with the names of OpenAPI or of the game')
    const found = await step('asks over HTTP, with all that is remembered', async () => {
      const wanted = new URLSearchParams({
        game: 'op',
        q: remembered.name,
        'attribute.colours': remembered.colour,
        'attribute.category': remembered.category,
        'attribute.power': String(remembered.power)
      })
      const { data } = await json<{ data: Named }>(`/api/v1/search/names?${wanted.toString()}`)
      const first = data.matches.find(({ card_number: number }) => number === meant)
      holds(first, 'the card is among what was found')
      holds(data.matches.length < 5, 'what is printed on it leaves few')
      return first
    })
    await step('asks for the number in its corner, and gets each of its printings', async () => {
      const { data } = await json<{ data: Named }>(`/api/v1/search/cards?game=op&q=${meant}`)
      holds(
        data.matches.length === found.printings && data.matches.every(({ card_number: number }) => number === meant),
        'there are as many as the name said'
      )
    })
    const siblings = await step('reads how the printings differ', async () => {
      const {
        data: { siblings }
      } = await json<{ data: Everything }>(`/api/v1/cards/${found.sku}/everything`)
      holds(siblings.length === found.printings, 'all of them are told')
      holds(
        siblings.filter(({ is_self: isSelf }) => isSelf).length === 1 &&
          siblings.every(({ variant_kind_reason: reason }) => reason.length > 10),
        'each says how it differs from the one asked for'
      )
      holds(
        new Set(siblings.map(({ lang, variant }) => `${lang} ${variant ?? ''}`)).size === siblings.length,
        'language and variant together tell them apart'
      )
      return siblings
    })
    const unknown = siblings.filter(({ variant_kind_reason: reason }) =>
      reason.includes('No source says how it differs')
    )
    if (unknown.length > 1)
      todo(
        `tells ${unknown.map(({ sku }) => sku).join(' and ')} apart by what they show`,
        'Each is another variant, and no source says how it differs.'
      )
    await step('keeps a fingerprint of each, and finds the printing by it', async () => {
      const cards = await Promise.all(
        siblings.map(async ({ sku }) => await json<Card>(`/api/v1/universal/card/${sku}`))
      )
      holds(
        new Set(cards.map(card => card['@content_hash'])).size === siblings.length,
        'no two printings have one fingerprint'
      )
      for (const { '@content_hash': hash, sku } of cards)
        holds(
          JSON.stringify(await json(`/api/v1/federation/identify/${hash}`)).includes(sku),
          `the fingerprint leads to ${sku}`
        )
    })
  }
)

/** The text of a page, with each row of a list of facts in a line of its own. */
function wordLines(html: string): string {
  return html
    .replaceAll(/<dt[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\n(?=\s*\n)/g, '')
}
