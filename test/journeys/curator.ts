import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { holds, journey } from './journey.ts'
import { builtClone, dataOf, eventually } from './with-checkout.ts'
import { visitor, wordsOf } from './with-visitor.ts'

/**
 * A game that nobody has heard of. Beside what may be kept the file has a price, a picture and a text, of which nothing
 * may ever be shown.
 */
const cards = [
  'Harbour Lantern',
  'Tide Keeper',
  'Salt Merchant',
  'Copper Gull',
  'Fogbell',
  'Reef Singer',
  'Net Mender',
  'Storm Ledger',
  'Quay Cat',
  'Low Water',
  'Pilot Stone',
  'Night Ferry'
].map((name, at) => ({
  id: `hbr-${at + 1}`,
  set_code: at < 8 ? 'HB1' : 'HB2',
  number: String(at + 1).padStart(3, '0'),
  name,
  rarity: at % 2 === 0 ? 'Common' : 'Rare',
  artist: at % 3 === 0 ? 'M. Quill' : 'O. Reed',
  market_price: (at * 1.37 + 91.25).toFixed(2),
  worth: (at * 1.37 + 91.25).toFixed(2),
  image_url: `https://example.com/CANARY-${at}.png`,
  text: 'CANARY: when this enters the harbour, draw a card.'
}))
const sets = [
  { code: 'HB1', name: 'First Harbour', released: '2025-03-01' },
  { code: 'HB2', name: 'Second Tide', released: '2025-09-01' }
]
const withheld = /CANARY|9[1-9]\.\d\d|10\d\.\d\d/

type Named = Readonly<{ data: { matches: readonly Readonly<{ sku: string }>[] } }>

/** From a file that Pantry has never seen to its cards on a page. */
export default journey(
  'curator',
  'has a file of cards that Pantry has never seen, and shows what may be shown of it',
  async travel => {
    const { step, todo, knows, shell, start, folder } = travel
    const cwd = await step('has a checkout of Pantry that is built', async () => builtClone(travel))
    const upstream = join(folder, 'harbour')
    mkdirSync(upstream)
    const write = (rows: readonly object[]): void => {
      writeFileSync(join(upstream, 'cards.json'), JSON.stringify(rows))
    }
    write(cards)
    writeFileSync(join(upstream, 'sets.json'), JSON.stringify(sets))
    const env = { PANTRY_DATA_DIR: dataOf(travel), LOG_LEVEL: 'silent' }
    const pantry = async (args: string, code = 0): Promise<string> =>
      await shell(`node dist/bin/pantry.js ${args}`, { cwd, env, code })
    const file = (corpus: string, id: string): string => join(cwd, 'corpora', corpus, 'entries', `${id}.yaml`)
    const edit = (of: string, change: (entry: Record<string, unknown>) => object): void => {
      writeFileSync(of, stringify(change(parse(readFileSync(of, 'utf8')) as Record<string, unknown>)))
    }
    const [source, game] = [file('sources', 'harbour'), file('games', 'hbr')]

    knows('that a source begins with `pantry new source`, which docs/sources.md says')
    await step('has a first declaration written, and sees what would be read of it', async () => {
      const said = await pantry(`new source harbour --from ${upstream} --game hbr`)
      holds(said.includes('12 rows in 1 file, 12 mapped, 0 not'), 'all rows are read')
      holds(/set_name +12 +100\.0 % +2 +First Harbour/.test(said), 'the names of sets are found in the file beside')
      holds(
        !withheld.test(said) && !withheld.test(readFileSync(source, 'utf8')),
        'no price, picture or text is even shown'
      )
      holds(
        !/price|image|text/.test(JSON.stringify((parse(readFileSync(source, 'utf8')) as { reader: object }).reader)),
        'nor are they proposed'
      )
    })
    await step('is stopped before the rights are read', async () => {
      holds(
        (await pantry(`import harbour --from ${upstream}`, 2)).includes('Read what the upstream says on rights'),
        'it says what to do first'
      )
    })
    knows('the name of the game, and whose it is; and what the upstream says on rights')
    await step('writes down the rights, and what the game is called', async () => {
      edit(source, entry => ({
        ...entry,
        conditions: undefined,
        label: 'Harbour cards',
        license: 'CC0-1.0',
        license_statement: 'The author of these invented cards gives them to everyone.',
        source_license: 'CC0-1.0'
      }))
      edit(game, entry => ({
        ...entry,
        name: 'Harbour',
        short_name: 'Harbour',
        slug: 'harbour',
        publisher: 'The author',
        curated: true,
        unsure: ['printed_numbers']
      }))
      holds((await pantry('validate')).includes('0 errors'), 'it is sound')
    })
    const whole = readFileSync(source, 'utf8')
    const mapTo = (name: string): void => {
      edit(source, entry => ({
        ...entry,
        reader: { ...(entry['reader'] as object), map: { ...(entry['reader'] as { map: object }).map, name } }
      }))
    }
    await step('a price is refused, by its name and by what it holds', async () => {
      mapTo('card.market_price')
      holds(/card\.market_price.*price/.test(await pantry('validate', 1)), 'the field is a price by its name')
      mapTo('card.worth')
      holds(/price/.test(await pantry(`import harbour --from ${upstream}`, 1)), 'a column of prices is none of names')
      writeFileSync(source, whole)
    })
    await step('looks at a dry run, and imports', async () => {
      const dry = await pantry(`import harbour --from ${upstream} --dry-run`)
      holds(dry.includes('dry run: nothing was written') && dry.includes('Harbour Lantern'), 'nothing is written yet')
      holds(
        /harbour +12 +12 +0 +0/.test(await pantry(`import harbour --from ${upstream}`)),
        'twelve are read and written'
      )
    })
    await step('the next edition of the file lacks a card, and has rows that name none', async () => {
      const [first] = cards
      write([
        ...cards.filter(({ name }) => name !== 'Fogbell'),
        { ...first, id: 'hbr-20', number: null, name: 'No Number' },
        { ...first, id: 'hbr-21', name: 'A Second One' }
      ])
      const said = await pantry(`import harbour --from ${upstream}`)
      holds(/harbour +13 +0 +11 +2/.test(said), 'eleven are as they were, and two are left out')
      holds(said.includes('`number` is missing.') && said.includes('the same SKU'), 'each with its reason')
      holds(/hbr-hb1-005-en +gone/.test(said), 'what is gone is named')
    })
    write([
      ...cards.filter(({ name }) => name !== 'Fogbell'),
      { ...cards[0], id: 'hbr-22', number: '022', name: '£94.50' }
    ])
    const isKept = await step('one row has a price for a name', async () => {
      const said = await shell(`node dist/bin/pantry.js import harbour --from ${upstream} || true`, { cwd, env })
      holds(said.includes('price'), 'it says so')
      return !said.includes('nothing was imported')
    })
    if (!isKept)
      todo('the others are imported all the same', 'A single row that holds a price stops the import of its source.')

    const service = await step('serves them', async () => {
      const started = await start('exec node dist/bin/pantry.js serve', {
        cwd,
        env: { PANTRY_DATA_DIR: dataOf(travel) }
      })
      await eventually('the catalogue can be read', async () => (await fetch(`${started.url}/readyz`)).ok)
      return started
    })
    const { json, read } = visitor(service)
    const pages: string[] = []
    const page = async (path: string, status = 200): Promise<string> => {
      const html = await read(path, status)
      pages.push(html)
      return wordsOf(html)
    }
    await step('sees its cards as a visitor does', async () => {
      holds(/Sets 2 Printings 11/.test(await page('/prices/harbour')), 'the game has its sets')
      const set = await page('/prices/harbour/hb1')
      for (const { name } of cards.slice(0, 8))
        holds(set.includes(name) === (name !== 'Fogbell'), `the set lists ${name} as it should`)
      holds(
        /Set First Harbour \(HB1\).*Illustrators M\. Quill/.test(await page('/product/hbr-hb1-001-en')),
        'the page of a card has its facts'
      )
      const {
        data: {
          matches: [found]
        }
      } = await json<Named>('/api/v1/search/names?game=hbr&q=quay+cat')
      holds(found?.sku === 'hbr-hb2-009-en', 'a card is found by its name')
    })
    await step('the card that is gone says when and why', async () => {
      holds(
        /withdrawn on \d{4}-\d\d-\d\d: harbour lists it no more/.test(await page('/product/hbr-hb1-005-en', 404)),
        'the day and the reason'
      )
    })
    const shown = await step('reads on the page of the source what was read, and by which right', async () => {
      const text = await page('/sources/harbour')
      for (const words of ['Harbour cards', 'CC0-1.0', 'gives them to everyone', 'Last import'])
        holds(text.includes(words), `it says ${words}`)
      return text
    })
    if (!shown.includes('number` is missing'))
      todo(
        'reads there which rows were left out, and why',
        'The page has their number; the reasons are printed by the import alone.'
      )
    await step('nothing that may not be shown is anywhere', async () => {
      for (const path of [
        '/api/v1/sources/harbour',
        '/api/v1/universal/card/hbr-hb1-001-en',
        '/api/v1/cards/hbr-hb1-001-en/everything',
        '/api/v1/cards/hbr-hb1-001-en/evidence',
        '/api/v1/universal/set/hb1?game=hbr'
      ])
        pages.push(JSON.stringify(await json(path)))
      for (const text of pages)
        holds(
          !withheld.test(text.replaceAll(/\d+(?:\.\d+)? ?(?:%|s\b)/g, '')),
          `no price, picture or text is in ${text.slice(0, 200)}`
        )
      holds(
        (await json<{ price: unknown; image_url: unknown }>('/api/v1/universal/card/hbr-hb1-001-en')).price === null,
        'the price is null'
      )
    })
    await step('Ctrl-C ends it', async () => {
      holds((await service.stop('SIGINT')) === 0, 'it ends with 0')
    })
  }
)
