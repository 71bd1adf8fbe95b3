import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const installed = (): string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
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
