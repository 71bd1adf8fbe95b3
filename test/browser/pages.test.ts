// test: long, alone. It opens every page in a real browser.
import type { Page } from 'playwright-core'
import t from 'tap'
import { bundledDatabase } from '../support/bundled.ts'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { inTurns } from '../support/effort.ts'
import { keepSheet, lookAtPage, type Seen } from '../support/look-at-page.ts'
import { pageExamples } from '../support/page-examples.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** The name of this machine, which pages of accounts go to: browsers know passkeys by names. */
const localOf = (address: string): string => address.replace('127.0.0.1', 'localhost')

const letters = (text: string): number => text.replaceAll(/\s/g, '').length
/**
 * How much a page says, apart from its buttons, in letters: the lines around a button are nothing that is said, and one
 * that is not shown says nothing.
 */
const saidIn = async (page: Page): Promise<number> =>
  letters(await page.locator('main').innerText()) -
  letters((await page.locator('main button:visible').allInnerTexts()).join(''))

t.test('every page in a real browser', { skip: noBrowser ?? false }, async t => {
  const { url: databaseUrl } = await bundledDatabase(t)
  const { url: address, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
  const url = localOf(address)
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const seen: Seen[] = []
  const examples = inTurns([...pageExamples(registry).entries()])
  for (const [
    place,
    {
      surface,
      example: { url: path, expect }
    }
  ] of examples) {
    seen.push(
      ...(await lookAtPage(t, browser, {
        origin: url,
        path,
        name: `${surface.id.replaceAll('/', '-')}-${place}`,
        status: expect.status
      }))
    )
  }
  t.ok(examples.length > 0 && seen.length >= examples.length, `${seen.length} pictures of ${examples.length} pages`)
  keepSheet('index', seen)
})

t.test('by keyboard alone, and without scripts', { skip: noBrowser ?? false }, async t => {
  const { url: databaseUrl } = await bundledDatabase(t)
  const { url: address, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
  const url = localOf(address)
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  for (const {
    example: { url: path, expect }
  } of inTurns(pageExamples(registry))) {
    if (expect.status !== 200) continue
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    await page.goto(url + path)
    const main = await saidIn(page)
    await page.keyboard.press('Tab')
    t.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      'Skip to the content',
      `${path}: the first stop`
    )
    // Radio buttons of one name are one stop.
    const stops = await page.evaluate(
      () =>
        [
          ...document.querySelectorAll<HTMLElement>(
            'a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, summary, [tabindex="0"]'
          )
        ].filter(one => one.checkVisibility()).length
    )
    // As many stops as there are, up to thirty; each says where one is.
    for (let stop = 0; stop < Math.min(stops - 1, 30); stop += 1) {
      await page.keyboard.press('Tab')
      const unseen = await page.evaluate(stop => {
        const one = document.activeElement
        if (one === null || one === document.body) return `nothing, after ${stop + 1} stops`
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        // An outline without a style has a width as well.
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
          ? ''
          : one.outerHTML.slice(0, 120)
      }, stop)
      t.equal(unseen, '', `${path}: the focus is seen`)
      if (unseen.startsWith('nothing')) break
    }
    await context.close()
    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
    const bare = await plain.newPage()
    await bare.goto(url + path)
    // Scripts add buttons and what this browser measured, and nothing else.
    t.ok((await saidIn(bare)) > main * 0.9, `${path}: says the same without scripts`)
    await plain.close()
  }
})

t.test(
  'the search of the home page leads to a card, with and without scripts, and a stranger runs the card surface',
  { skip: noBrowser ?? false },
  async t => {
    const { url: databaseUrl } = await bundledDatabase(t)
    const { url } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
    const browser = await openBrowser()
    t.teardown(() => browser.close())
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
      await page.goto(url)
      await page.fill('input[name=q]', 'OP01-001')
      await page.keyboard.press('Enter')
      await page.click('main table a >> nth=0')
      t.match(await page.locator('h1').innerText(), /OP01-001/)
      await page.goto(url)
      await page.click('header >> text=For developers')
      await page.click('main >> text=The explorer')
      await page.fill('main input[name=q]', 'one card')
      if (!javaScriptEnabled) await page.keyboard.press('Enter')
      await page.click('main li:not([hidden]) >> text=/One card/ >> nth=0')
      await page.fill('input[name=p0]', 'op-op01-001-en')
      await page.click('text=Run')
      t.match(await page.locator('.answer').innerText(), /Status 200/)
      t.match(await page.locator('.answer').innerText(), /Roronoa Zoro/)
    }
  }
)
