// test: long. It opens the pages of an example in a real browser.
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { testDatabase } from '../support/database.ts'
import { keepSheet, lookAtPage, type Seen } from '../support/look-at-page.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

const pages: readonly (readonly [path: string, name: string, status: number])[] = [
  ['/', 'front', 200],
  ['/stops', 'stops', 200],
  ['/explore', 'explore', 200],
  ['/explore/get_near', 'surface', 200],
  ['/nothing', 'nothing', 404]
]

/** What `service.yaml` of the example declares, as a browser computes it. */
const accents = { light: 'rgb(122, 31, 92)', dark: 'rgb(240, 179, 220)' }

t.test('the pages of a service with a theme', { skip: noBrowser ?? false }, async t => {
  const { url: databaseUrl } = await testDatabase(t, 'empty')
  const { url } = await startService(t, {
    args: ['--root', join(packageFolder, 'examples/transit-stops')],
    env: { DATABASE_URL: databaseUrl, PANTRY_DATA_DIR: scratchFolder(t) }
  })
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const seen: Seen[] = []
  for (const [path, name, status] of pages)
    seen.push(...(await lookAtPage(t, browser, { origin: url, path, name: `theme-${name}`, status })))
  keepSheet('theme', seen)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    await page.goto(url)
    const found = await page.evaluate(() => {
      const styleOf = (selector: string): CSSStyleDeclaration => getComputedStyle(document.querySelector(selector)!)
      const logo = document.querySelector<HTMLImageElement>('.home img')
      return {
        link: styleOf('main a').color,
        button: styleOf('main form button').backgroundColor,
        font: styleOf('main').fontFamily,
        isLogoShown: (logo?.complete ?? false) && (logo?.naturalWidth ?? 0) > 0
      }
    })
    const accent = accents[colorScheme]
    t.same(
      found,
      { link: accent, button: accent, font: 'Verdana, "DejaVu Sans", sans-serif', isLogoShown: true },
      colorScheme
    )
    await page.close()
  }
})
