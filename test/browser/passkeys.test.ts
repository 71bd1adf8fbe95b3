// test: long, alone. It adds a passkey in a real browser.
import t from 'tap'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { databaseAt } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

t.test(
  'a person adds a passkey in a browser, signs in with it, and removes it',
  { skip: noBrowser ?? false },
  async t => {
    const { url } = await bundledDatabase(t)
    const database = await databaseAt(t, url)
    const port = await freePort()
    const { url: address } = await serveGeneration(
      t,
      await generationOf(t, ['.'], { databaseUrl: url, baseUrl: `http://127.0.0.1:${port}` }),
      { port }
    )
    const {
      services: { people, signIn }
    } = openAccounts(database, address)
    const { id } = await people.add('ada', [])
    const browser = await openBrowser()
    t.teardown(async () => {
      await browser.close()
    })
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', error => {
      faults.push(error.message)
    })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true
      }
    })

    await page.goto(`${address}/account/sign-in`)
    await page.waitForURL(/\/\/localhost:/)
    await page.fill('#username', 'ada')
    await page.fill('#code', await signIn.issueCode(id))
    await page.click('form.own button[type=submit]')
    await page.waitForURL(/\/account\?done=/)
    await page.click('text=Add a passkey')
    await page.waitForSelector('[aria-label^="Remove: Passkey of"]')
    await page.click('text=Sign out')
    await page.goto(`${new URL(page.url()).origin}/account/sign-in`)
    await page.click('text=Sign in with a passkey')
    await page.waitForSelector('text=Your passkeys')
    t.match(await page.textContent('main'), /Usernameada/)
    const [cookie] = await page.context().cookies()
    t.match(cookie, { name: 'pantry_session', httpOnly: true, sameSite: 'Lax' })
    await page.click('[aria-label^="Remove: Passkey of"]')
    await page.click('button:text-is("Remove the passkey")')
    await page.waitForSelector('text=You have no passkey.')
    t.same(faults, [])
  }
)
