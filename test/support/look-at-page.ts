import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { packageFolder } from '../../bin/roots.ts'
import { mostTries, pauseMs } from './chromium.ts'
import { inTurns } from './effort.ts'

const pictures = join(packageFolder, '.test', 'pages')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = Readonly<{ id: string; help: string; nodes: readonly Readonly<{ html: string }>[] }>
type Screen = readonly [width: number, colorScheme: 'light' | 'dark']
/** A page to look at: `name` is that of its pictures, `cookie` (`name=value`) is who looks, on which `screens`. */
export type Look = Readonly<{
  origin: string
  path: string
  name: string
  status: number
  cookie?: string | undefined
  screens?: readonly Screen[]
}>
const allScreens: readonly Screen[] = [320, 768, 1280].flatMap((width): Screen[] => [
  [width, 'light'],
  [width, 'dark']
])
/** A picture that was kept, and what is on it. */
export type Seen = Readonly<{ what: string; file: string }>

/** What a visitor would meet that should not be: messages, faults, failed requests and those to another origin. */
export function listen(page: Page, origin: string, expected: number): string[] {
  const met: string[] = []
  // A page that says that something is not there is itself a failed request in the console, and so is a refusal that
  // the explorer was asked to show.
  const isAsked = (at: string): boolean => expected >= 400 || at.startsWith(`${origin}/api/`)
  page.on('console', message => {
    if (!message.text().startsWith('Failed to load resource') || !isAsked(message.location().url))
      met.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => met.push(`error: ${error.message}`))
  // A browser gives up what it still loads when it goes to another page: that is no failure.
  page.on('requestfailed', request => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') met.push(`failed: ${request.url()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      met.push(`another origin: ${request.url()}`)
  })
  return met
}

/** What axe finds wrong with the page that is open. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // A debugger runs it, so the Content-Security-Policy holds for the page itself, and what it refuses is in the
  // console.
  await page.evaluate(axe)
  const violations = await page.evaluate(
    async () =>
      (
        await (
          globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } }
        ).axe.run({ resultTypes: ['violations'] })
      ).violations
  )
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200) ?? ''}`)
}

/** Keeps a picture of the page that is open. */
export async function keepPicture(page: Page, file: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, file), fullPage: true })
}

/** One sheet with pictures side by side. */
export const keepSheet = (name: string, seen: readonly Seen[]): void => {
  writeFileSync(
    join(pictures, `${name}.html`),
    `<!doctype html><title>Pages</title>${seen.map(({ what, file }) => `<figure><figcaption>${what.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</figcaption><img src="${file}" width="320" alt=""></figure>`).join('')}`
  )
}

type Judge = Readonly<{
  equal: (found: unknown, wanted: unknown, message: string) => void
  same: (found: unknown, wanted: unknown, message: string) => void
}>

/** Opens a page, as somebody does who asks again when they are told to. */
async function openPage(
  context: BrowserContext,
  { origin, path, status }: Pick<Look, 'origin' | 'path' | 'status'>
): Promise<Readonly<{ page: Page; met: readonly string[]; found: number | undefined }>> {
  for (let tries = 1; ; tries += 1) {
    const page = await context.newPage()
    const met = listen(page, origin, status)
    const found = (await page.goto(origin + path))?.status()
    if (found !== 503 || status === 503 || tries === mostTries) return { page, met, found }
    await page.close()
    await sleep(pauseMs)
  }
}

/**
 * Opens a page at three widths, light and dark, some of them in turns, unless it is told which: nothing is wider than
 * the screen, inaccessible, said in the console or asked elsewhere. Gives the pictures it kept.
 */
export async function lookAtPage(
  t: Judge,
  browser: Browser,
  { origin, path, name, status, cookie, screens = inTurns(allScreens, 3) }: Look
): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (const [width, colorScheme] of screens) {
    const what = `${path} at ${width} px, ${colorScheme}${cookie === undefined ? '' : `, ${name}`}`
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    if (cookie !== undefined)
      await context.addCookies([
        { name: cookie.slice(0, cookie.indexOf('=')), value: cookie.slice(cookie.indexOf('=') + 1), url: origin }
      ])
    const { page, met, found } = await openPage(context, { origin, path, status })
    t.equal(found, status, what)
    t.same(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      `${what}: nothing is wider than the screen`
    )
    const narrow = await page.evaluate(
      () =>
        [...document.querySelectorAll('.scroll tr > td:last-child:not(.number)')].filter(
          cell =>
            cell.checkVisibility() &&
            cell.getBoundingClientRect().width < 13.9 * parseFloat(getComputedStyle(document.documentElement).fontSize)
        ).length
    )
    if (width < 640) t.equal(narrow, 0, `${what}: what ends a row of a wide table has room, so that rows are not tall`)
    t.same(await violationsOf(page), [], `${what}: accessible`)
    t.same(met, [], `${what}: nothing is said in the console, and nothing asked elsewhere`)
    if (width !== 768) {
      const file = `${name}-${width}-${colorScheme}.png`
      await keepPicture(page, file)
      seen.push({ what, file })
    }
    await context.close()
  }
  return seen
}
