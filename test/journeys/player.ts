import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { packageFolder } from '../../bin/project.ts'
import { holds, journey } from './journey.ts'
import { eventually, pantry, serveCards } from './with-checkout.ts'
import { browserPage, visitor, wordsOf } from './with-visitor.ts'

type Begun = Readonly<{ id: string; commitment: string; nonce: number }>
type Opened = Readonly<{
  server_seed: string
  result: Readonly<{ pack: string; rarities: readonly string[] }>
  receipt: Readonly<{ client_seed: string; commitment: string }>
}>

/** A match to its end, and a booster of which nobody needs to believe that it was fair. */
export default journey(
  'player',
  'learns the game, plays a match to its end, and draws a booster that is proven',
  async travel => {
    const { step, todo, knows, shell } = travel
    const service = await step('the service is there', async () => await serveCards(travel))
    const { json, read } = visitor(service)

    const page = await browserPage(travel, 'plays a match in a browser')
    if (page !== undefined) {
      const main = page.locator('main')
      const moves = page.locator('button[name=move]')
      await step('goes to the game from the first page, by its tutorial', async () => {
        await page.goto(service.url)
        await page.getByRole('link', { name: 'Play', exact: true }).click()
        holds((await main.innerText()).length > 500, 'the tutorial explains something')
        await page.goto(service.url)
        await page.getByRole('link', { name: 'play a match' }).click()
        await page.check('input[name=starter_id][value=st-01-red-luffy]')
        await page.check('input[name=level][value=easy]')
        await page.check('input[name=goes_first][value=you]')
        await page.getByRole('button', { name: 'Deal the cards' }).click()
        holds((await main.innerText()).includes('Your opening hand'), 'the cards are dealt')
      })
      /** Presses the first button that does not give up; false where the match is over. */
      const move = async (): Promise<boolean> => {
        const buttons = await moves.evaluateAll(all => all.map(one => (one as unknown as { value: string }).value))
        const at = buttons.findIndex(value => !value.includes('"concede"'))
        if (at === -1) return false
        await moves.nth(at).click()
        return true
      }
      await step('keeps the match as a text, and goes on with it later', async () => {
        for (let made = 0; made < 4; made += 1) holds(await move(), 'the match goes on')
        await page.getByText('Keep this match for later').click()
        const [kept, before] = [
          await page.getByLabel('The text of this match').inputValue(),
          await moves.allInnerTexts()
        ]
        await page.goto(`${service.url}/play/practice`)
        await page.getByLabel('The text of the match').fill(kept)
        await page.getByRole('button', { name: 'Go on with this match' }).click()
        holds(
          JSON.stringify(await moves.allInnerTexts()) === JSON.stringify(before),
          'it is the same moment of the same match'
        )
      })
      await step('plays it to its end, and reads who won', async () => {
        let made = 4
        while (made < 300 && (await move())) made += 1
        const text = await main.innerText()
        holds(
          /you (?:won|win|lost|lose)|the opponent (?:won|wins)/i.test(text),
          `it says who won after ${made} moves: ${text.slice(0, 300)}`
        )
      })
      await step('begins another one from there', async () => {
        await page.goto(`${service.url}/play/practice`)
        holds(await page.getByRole('button', { name: 'Deal the cards' }).isVisible(), 'the cards can be dealt again')
      })
    }

    if (!/<form[^>]*draws/.test(await read('/verify')))
      todo(
        'draws a booster on a page',
        'The pages check draws; one is begun and opened over HTTP alone, or in /explore.'
      )
    knows('the set a1, for which rates are known, and two requests of docs/proofs.md')
    const begun = await step(
      'begins a draw, and is told a commitment',
      async () => (await json<{ data: Begun }>('/api/v1/draws', { body: { set: 'a1' } })).data
    )
    const opened = await step(
      'opens it with a seed of their own',
      async () =>
        (
          await json<{ data: Opened }>(`/api/v1/draws/${begun.id}/open`, {
            body: { client_seed: randomBytes(32).toString('hex') }
          })
        ).data
    )
    await step('sees that the service could not choose after it', async () => {
      holds(
        createHash('sha256').update(Buffer.from(opened.server_seed, 'hex')).digest('hex') === begun.commitment,
        'the seed of the service is the one that it committed itself to'
      )
      await json(`/api/v1/draws/${begun.id}/open`, { body: { client_seed: '00'.repeat(32) }, status: 409 })
    })
    await step('reads its receipt on a page, where it is computed again', async () => {
      await eventually(
        'the receipt is in a signed batch',
        async () => (await json<{ data: { batch: unknown } }>(`/api/verify/receipts/${begun.id}`)).data.batch !== null
      )
      const text = wordsOf(await read(`/verify?id=${begun.id}`))
      for (const words of [opened.result.pack, opened.server_seed, opened.receipt.client_seed])
        holds(text.includes(words), `the page has ${words}`)
    })
    await step('proves the whole service from outside, with the command of Pantry', async () => {
      holds((await shell(`${pantry} verify ${service.url}`)).includes('hold'), 'all that it says holds')
    })
    const hasPython = (await shell('python3 --version || true')).startsWith('Python 3')
    if (hasPython) {
      await step('and with a program that has nothing of Pantry in it', async () => {
        holds(
          (await shell(`python3 ${join(packageFolder, 'docs', 'verify.py')} ${service.url}`)).includes('hold'),
          'all that it says holds'
        )
      })
    } else todo('and with a program that has nothing of Pantry in it', 'There is no Python 3 here.')
  }
)
