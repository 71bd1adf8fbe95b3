import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { schemes } from '../../../core/registry/theme-sheet.ts'
import { generationOf, serveGeneration, type Served } from '../../support/serve-root.ts'

const service = `id: hours
name: Hours
summary: Opening hours.
base_url: http://127.0.0.1:8080
contact: { email: desk@hours.example, response_hours: 48 }
`

/** Every byte there is: what is read or written as text does not keep them. */
const bytes = Buffer.from(Array.from({ length: 2048 }, (_, at) => at % 256))

async function served(t: Test, theme: string, baseUrl?: string): Promise<Served> {
  const folder = t.testdir()
  mkdirSync(join(folder, 'manifests'))
  mkdirSync(join(folder, 'surfaces/assets'), { recursive: true })
  writeFileSync(join(folder, 'manifests/service.yaml'), service + theme)
  writeFileSync(join(folder, 'surfaces/assets/mark.png'), bytes)
  writeFileSync(join(folder, 'surfaces/assets/reading.woff2'), bytes)
  writeFileSync(join(folder, 'surfaces/assets/more.css'), 'main { max-width: 50rem }')
  return serveGeneration(t, await generationOf(t, [folder], baseUrl === undefined ? {} : { baseUrl }))
}

const assetIn = (text: string, form: RegExp): string => form.exec(text)?.[1] ?? 'none'

async function sheetOf({ get }: Served, path = '/'): Promise<string> {
  const page = await (await get(path)).text()
  return (await get(assetIn(page, /rel="stylesheet" href="([^"]+)"/))).text()
}

t.test('pages have the logo, the icon and the links of the theme', async t => {
  const { get } = await served(
    t,
    `theme:
  logo: mark.png
  icon: mark.png
  footer:
    - { label: Status & more, href: /api/v1/status }
    - { label: Elsewhere, href: 'https://hours.example/imprint' }
`
  )
  const page = await (await get('/')).text()
  const logo = assetIn(
    page,
    /<a class="home" href="\/"><img src="(\/assets\/mark\.[0-9a-f]{16}\.png)" alt="">Hours<\/a>/
  )
  t.match(page, `<link rel="icon" type="image/png" href="${logo}">`)
  t.match(page, '<a href="/api/v1/status">Status &amp; more</a>')
  t.match(page, '<a href="https://hours.example/imprint">Elsewhere</a>')
  for (const [path, control] of [
    [logo, 'public, max-age=31536000, immutable'],
    ['/favicon.ico', 'public, max-age=86400']
  ] as const) {
    const answer = await get(path, { headers: { 'Accept-Encoding': 'br, gzip' } })
    t.equal(answer.headers.get('content-type'), 'image/png', path)
    t.match(answer.headers.get('cache-control'), control)
    t.equal(answer.headers.get('content-encoding'), null, 'what is compressed already is sent as it is')
    t.same(Buffer.from(await answer.arrayBuffer()), bytes)
  }
})

t.test('failures have them too, and a service under a path keeps it', async t => {
  const theme = 'theme:\n  logo: mark.png\n  footer: [{ label: Status, href: /api/v1/status }]\n'
  const { get } = await served(t, theme, 'http://127.0.0.1:8080/town')
  for (const path of ['/town/', '/town/nothing']) {
    const page = await (await get(path, { headers: { Accept: 'text/html' } })).text()
    t.match(page, /<img src="\/town\/assets\/mark\.[0-9a-f]{16}\.png"/, path)
    t.match(page, '<a href="/town/api/v1/status">Status</a>', path)
  }
})

t.test('the style sheet has the colours and fonts between those of the framework and of the service', async t => {
  const theme =
    "theme:\n  accent: { light: '#7a1f5c', dark: '#f0b3dc' }\n  font: [reading.woff2, Gill Sans, sans-serif]\n"
  const one = await served(t, theme)
  const sheet = await sheetOf(one)
  const parts = [
    '@media print',
    '@font-face',
    '--pico-primary: #7a1f5c;',
    '--pico-primary: #f0b3dc;',
    'max-width: 50rem'
  ]
  const places = parts.map(part => sheet.lastIndexOf(part))
  t.notOk(places.includes(-1), 'each is there')
  t.same(
    places,
    [...places].sort((a, b) => a - b)
  )
  t.match(sheet, '--pico-font-family-sans-serif: "reading.woff2", "Gill Sans", sans-serif;')
  const font = assetIn(sheet, /src: url\("(reading\.[0-9a-f]{16}\.woff2)"\)/)
  const answer = await one.get(`/assets/${font}`)
  t.equal(answer.headers.get('content-type'), 'font/woff2')
  t.same(Buffer.from(await answer.arrayBuffer()), bytes)
})

t.test('pages may load fonts only where the theme has a file of one', async t => {
  const policyOf = async (theme: string): Promise<string | null> =>
    (await (await served(t, theme)).get('/')).headers.get('content-security-policy')
  const plain = await policyOf('')
  t.notMatch(plain, /font-src|unsafe/)
  t.equal(await policyOf("theme:\n  accent: { light: '#7a1f5c', dark: '#f0b3dc' }\n  font: [Georgia]\n"), plain)
  t.equal(await policyOf('theme:\n  font: [reading.woff2]\n'), `${plain ?? ''}; font-src 'self'`)
})

t.test('the colours that an accent is measured against are those of the style sheet', t => {
  const sheet = readFileSync(join(packageFolder, 'core/standard/surfaces/assets/theme.css'), 'utf8')
  for (const [scheme, { selector, grounds, ink }] of Object.entries(schemes)) {
    const start = sheet.indexOf(`@media (prefers-color-scheme: ${scheme}) {\n  ${selector} {`)
    t.not(start, -1, `${scheme}: has the selector`)
    const rules = sheet.slice(start, sheet.indexOf('}', start))
    const colours = [...rules.matchAll(/--(pico-background-color|page-paper|page-shade): (#[0-9a-f]+);/g)]
    const long = (colour = ''): string => (colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour)
    t.same([...new Set(colours.map(([, , colour]) => long(colour)))].sort(), [...grounds].sort(), scheme)
    t.match(rules, `--page-ink: ${ink};`)
  }
  t.end()
})
