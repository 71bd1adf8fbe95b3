// test: long, alone. It computes a draw again in a real browser.
import t from 'tap'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { serveDraws, someSeed } from '../support/draws.ts'

t.test(
  'a browser computes a receipt, its proof and its signature, and finds a forged one',
  { skip: noBrowser ?? false },
  async t => {
    const {
      drawn,
      database,
      served: { url }
    } = await serveDraws(t)
    const ids = await drawn(5)
    const browser = await openBrowser()
    t.teardown(async () => {
      await browser.close()
    })
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', error => {
      faults.push(error.message)
    })
    const checksOf = async (id: string): Promise<readonly (string | null)[]> => {
      await page.goto(`${url}/verify?id=${id}`)
      await page.click('text=Compute it in this browser')
      await page.waitForSelector('text=This browser computed')
      return await page.locator('[data-check]').allTextContents()
    }
    for (const id of ids) t.same(await checksOf(id), ['holds', 'holds', 'holds', 'holds'])
    await database
      .knex('draws')
      .where({ id: ids[2] })
      .update({ server_seed: someSeed(), result: { pack: 'Rare Pack', rarities: ['UR', 'UR', 'UR', 'UR', 'UR'] } })
    t.same((await checksOf(ids[2] ?? '')).slice(0, 3), ['does not hold', 'does not hold', 'does not hold'])
    t.same(faults, [])
  }
)
