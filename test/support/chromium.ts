import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'

// The shell has no window and starts in a fraction of the time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const installed = (): string[] =>
  names
    .flatMap(name => (process.env['PATH'] ?? '').split(delimiter).map(folder => join(folder, name)))
    .filter(existsSync)

/**
 * A real browser: `PANTRY_CHROMIUM` names one, else what is on the PATH, else what `npx playwright-core install
 * chromium` put on this machine.
 */
const binary =
  process.env['PANTRY_CHROMIUM'] ??
  installed()[0] ??
  (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined)

/** Why there is no browser, and what to do; `undefined` where there is one. */
export const noBrowser: string | undefined =
  binary !== undefined
    ? undefined
    : 'THERE IS NO CHROMIUM HERE, so no page was looked at. Install one with `npx playwright-core install --with-deps chromium` or `apt-get install chromium`, or name one in PANTRY_CHROMIUM.'

/** Without what reaches out by itself; as root a browser has no sandbox. */
export const openBrowser = async (): Promise<Browser> =>
  await chromium.launch({
    ...(binary === undefined ? {} : { executablePath: binary }),
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])
    ]
  })

/** How often a page is asked for that a machine with too much to do answers with 503, and milliseconds between. */
export const [mostTries, pauseMs] = [5, 2_000]

/** Goes to a page, as somebody does who asks again when they are told to. Returns the status of the last answer. */
export async function visit(page: Page, url: string): Promise<number | undefined> {
  for (let tries = 1; ; tries += 1) {
    const status = (await page.goto(url))?.status()
    if (status !== 503 || tries === mostTries) return status
    await sleep(pauseMs)
  }
}
