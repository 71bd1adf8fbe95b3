// test: long, alone. It goes the whole way of a new user, in a real browser over a real service.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { noBrowser, openBrowser, visit } from '../support/chromium.ts'
import { keepPicture, listen } from '../support/look-at-page.ts'
import { program } from '../support/program.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false
)

t.test(
  'from a fresh machine to an agent that calls a tool, and back',
  { skip: noBrowser ?? (!hasCurl && 'there is no curl here') },
  async t => {
    const PANTRY_DATA_DIR = scratchFolder(t)
    const pantry = async (...args: string[]): Promise<string> =>
      (
        await run(process.execPath, [...program('bin/commands/pantry'), ...args], {
          env: { ...process.env, PANTRY_DATA_DIR, LOG_LEVEL: 'silent' }
        })
      ).stdout.trim()
    const first = await pantry('people', 'add', 'ada')
    t.match(first, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/, 'a code, alone on stdout')
    const { url } = await startService(t, { args: [], env: { PANTRY_DATA_DIR } })
    const origin = url.replace('127.0.0.1', 'localhost')

    // A machine with much to do may say 503 and when to ask again.
    const curl = async (...args: string[]): Promise<string> =>
      (await run('curl', ['-s', '--retry', '5', ...args])).stdout
    const jar = `${PANTRY_DATA_DIR}/cookies`
    t.match(
      await curl(
        '-c',
        jar,
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify({ username: 'ada', code: first }),
        `${origin}/api/v1/account/sign-in`
      ),
      'You are signed in.'
    )
    t.match(await curl('-b', jar, `${origin}/api/v1/account`), '"username":"ada"')
    t.match(
      await curl(
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify({ username: 'ada', code: first }),
        '-w',
        ' %{http_code}',
        `${origin}/api/v1/account/sign-in`
      ),
      / 401$/,
      'a code works once'
    )

    const browser = await openBrowser()
    t.teardown(() => browser.close())
    const page = await browser.newPage()
    const met = listen(page, origin, 200)
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
    await visit(page, `${origin}/account/sign-in`)
    await page.fill('#username', 'ada')
    await page.fill('#code', await pantry('people', 'code', 'ada'))
    await page.click('form.own button[type=submit]')
    await page.waitForURL(/\/account\?done=/)
    await page.click('text=Add a passkey')
    await page.waitForSelector('[aria-label^="Remove: Passkey of"]')
    await page.click('text=Sign out')
    await visit(page, `${origin}/account/sign-in`)
    await page.click('text=Sign in with a passkey')
    await page.waitForSelector('text=Your passkeys')
    await page.click('text=Make and revoke keys')
    await page.fill('#name', 'My reader')
    await page.fill('#contact', 'ada@example.org')
    await page.click('text=Make a key')
    const key = (await page.locator('[aria-label=Key]').innerText()).trim()
    t.match(key, /^pantry_agt_[\w-]{49}$/)
    await keepPicture(page, 'new-user-key.png')

    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'new-user', version: '1' })
      await client.connect(
        new StreamableHTTPClientTransport(new URL('/api/mcp', origin), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } }
        })
      )
      return client
    }
    const client = await connect()
    t.match(await client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-001-en' } }), {
      structuredContent: { name: { natural_token: 'Roronoa Zoro' }, price: null }
    })
    await page.click('text=Your keys')
    t.match(
      await page.locator('main').innerText(),
      new RegExp(`My reader[\\s\\S]*${new Date().toISOString().slice(0, 10)}`),
      'used today'
    )
    await page.click('[aria-label="Revoke: My reader"]')
    await page.click('button:text-is("Revoke the key")')
    await page.waitForSelector('text=/revoked on/')
    await eventually(async () => {
      await t.rejects(client.callTool({ name: 'get_universal_card', arguments: { sku: 'op-op01-001-en' } }))
    })
    await t.rejects(connect(), 'a revoked key is refused')
    t.match(
      await curl(
        '-X',
        'POST',
        '-H',
        `Authorization: Bearer ${key}`,
        '-H',
        'Content-Type: application/json',
        '-d',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        '-w',
        ' %{http_code}',
        `${origin}/api/mcp`
      ),
      / 401$/
    )

    await visit(page, `${origin}/account`)
    await page.click('text=Leave')
    await page.waitForURL(/leave$/)
    await keepPicture(page, 'new-user-leave.png')
    await page.fill('input[name=username]', 'ada')
    await page.click('main button[type=submit]')
    await page.waitForURL(at => at.pathname !== '/account/leave')
    await keepPicture(page, 'new-user-left.png')
    t.equal(await pantry('people', 'list', '--format', 'json'), '[]', 'nobody is left')
    t.same(met, [], 'nothing is said in the console')
  }
)
