// test: long. The site of the documentation, by a program installed apart: `npm ci --prefix test/tools`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { inflateSync } from 'node:zlib'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { filesBelow } from '../bin/root-modules.ts'
import { noBrowser, openBrowser } from './support/chromium.ts'
import { inTurns } from './support/effort.ts'
import { listen, violationsOf } from './support/look-at-page.ts'
import { scratchFolder } from './support/scratch.ts'

const tools = join(packageFolder, 'test/tools')
const skip = existsSync(join(tools, 'node_modules/typedoc'))
  ? false
  : 'what writes the pages is not installed: npm ci --prefix test/tools'

const makeSite = (out: string, project = packageFolder) =>
  spawnSync(process.execPath, [join(tools, 'docs.mjs'), '--project', project, '--out', out], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' }
  })

t.test('the front page says what is in the site; an export without a comment and a lost link fail', { skip }, t => {
  const folder = scratchFolder(t)
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const run = () => makeSite(join(folder, 'site'), folder)
  const door = '/**\n * A small door.\n *\n * @module\n */\n'
  const key = '/** Opens the door. */\nexport const key = 1\n'
  write('tsconfig.package.json', JSON.stringify({ compilerOptions: { types: [] }, include: ['bin/door/*.ts'] }))
  write('docs/README.md', '# All\n\n## Guides\n\n- [Locks](locks.md) of doors\n- [Keys](keys.md)\n')
  write('docs/keys.md', '# Keys\n\nTurn them [so](locks.md#how-to-turn).\n')
  write('docs/locks.md', '# Locks of doors\n\n## How to turn\n\nSee [how](#how-to-turn) and [code](../bin/lock.js).\n')
  write('docs/unlisted.md', '# Not listed\n')
  write('bin/lock.js', '// A lock.\n')
  write('bin/door/index.ts', `${door}${key}`)
  write('bin/door/side.ts', `${door}${key}export { key as other } from './index.js'\n`)
  t.match(run(), { status: 0, stderr: '', stdout: '2 documents, 2 doors' })
  const page = (file: string): string => readFileSync(join(folder, 'site', file), 'utf8')
  const locks = page('documents/Locks.html')
  for (const part of ['Locks of doors', 'href="#how-to-turn"', 'href="../media/lock.js.txt"'])
    t.ok(locks.includes(part), part)
  t.ok(page('index.html').includes('href="documents/Locks.html"'))
  t.equal(page('media/lock.js.txt'), '// A lock.\n')
  t.match(page('modules/pantry_side.html'), /A small door\./)
  t.match(page('variables/pantry.key.html'), /Opens the door\./)

  write('docs/keys.md', '# Keys\n\nBreak them [so](locks.md#how-to-break).\n')
  t.match(run(), { status: 1, stderr: /how-to-break/ })
  write('docs/keys.md', '# Keys\n\nSee [hinges](hinges.md).\n')
  write(
    'bin/door/side.ts',
    `${door}/** See {@link missing}. */\nexport const key = 1\nexport function open(): void {}\n`
  )
  write('bin/door/bare.ts', key)
  const faulty = run()
  t.equal(faulty.status, 1)
  for (const part of ['hinges.md', '"missing"', 'open of pantry/side has no comment.', 'pantry/bare has no comment.'])
    t.ok(faulty.stderr.includes(part), `${part}: ${faulty.stderr}`)
  t.end()
})

type SearchData = Readonly<{ rows: readonly Readonly<{ name: string }>[]; index: object }>
type Lunr = Readonly<{
  Index: Readonly<{
    load: (index: object) => Readonly<{ search: (word: string) => readonly Readonly<{ ref: string }>[] }>
  }>
}>

/** Returns the search of a site, which gives the names of pages for a word, as the script of the site does. */
function searchOf(site: string): (word: string) => readonly (string | undefined)[] {
  const [, packed = ''] = /"([^"]+)"/.exec(readFileSync(join(site, 'assets/search.js'), 'utf8')) ?? []
  const { rows, index } = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString()) as SearchData
  const { Index } = createRequire(join(tools, 'package.json'))('lunr') as Lunr
  const loaded = Index.load(index)
  return word => loaded.search(word).map(({ ref }) => rows[Number(ref)]?.name)
}

/** That with the widest tables. What finds faults of access takes minutes for its thousands of cells. */
const widest = 'documents/Keys_of_manifests_and_corpora.html'
/** A page of each sort. */
const looked = ['index.html', 'documents/Tutorial.html', widest, 'functions/pantry.mount.html']
const screens = [
  [320, 'light'],
  [1280, 'light'],
  [320, 'dark'],
  [1280, 'dark']
] as const
/** In a short run the longest of all checks has its turn, as other pages have. */
const isWidestTried = inTurns([widest]).length > 0
/** Rules that the generator does not keep: its menu folds by what is also a link, and it skips a level of headings. */
const ofGenerator = ['nested-interactive', 'heading-order']

t.test('every link of the site leads to a page and a place; pages fit small and large screens', { skip }, async t => {
  const folder = scratchFolder(t)
  t.match(makeSite(folder), { status: 0, stderr: '' })
  const pages = filesBelow(folder, '.html')
  t.ok(pages.length > 300, `${pages.length} pages`)
  const texts = new Map(pages.map(file => [file, readFileSync(file, 'utf8')]))
  const places = new Map(
    [...texts].map(([file, text]) => [file, [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)])
  )
  let links = 0
  const lost = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="(?!https?:|mailto:|data:)([^"]+)"/g)].flatMap(
      ([, link = '']) => {
        links += 1
        const [path = '', place] = link.split('#').map(decodeURIComponent)
        const target = path === '' ? file : resolve(dirname(file), path.endsWith('/') ? `${path}index.html` : path)
        const isThere = existsSync(target) && (!place || (places.get(target)?.includes(place) ?? false))
        return isThere ? [] : [`${relative(folder, file)}: ${link}`]
      }
    )
  )
  t.ok(links > 5000, `${links} links`)
  t.strictSame([...new Set(lost)], [])

  const found = searchOf(folder)
  t.ok(found('idempotency').includes('A service of your own'), 'the search knows the words of a page')
  t.ok(found('mount').includes('mount'), 'and the names that code imports')
  t.strictSame(found('unicorn'), [])

  if (noBrowser !== undefined) {
    t.pass(noBrowser)
    return
  }
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }
  const server = createServer(({ url = '/' }, response) => {
    const file = join(folder, new URL(url, 'http://site').pathname)
    response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': types[extname(file)] ?? 'image/svg+xml' })
    response.end(existsSync(file) ? readFileSync(file) : '')
  }).listen(0, '127.0.0.1')
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const path of looked)
    for (const [width, colorScheme] of inTurns(screens, 2)) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
      const met = listen(page, origin, 200)
      const what = `${path} at ${width} px, ${colorScheme}`
      await page.goto(`${origin}/${path}`)
      await page.locator('#tsd-nav-container a').first().waitFor({ state: 'attached' })
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${what}: nothing is wider`)
      const violations = path === widest && !isWidestTried ? [] : await violationsOf(page)
      t.strictSame(
        violations.filter(one => !ofGenerator.some(rule => one.startsWith(`${rule}:`))),
        [],
        `${what}: accessible`
      )
      t.strictSame(met, [], `${what}: nothing is said in the console, and nothing asked elsewhere`)
      await page.close()
    }

  const page = await browser.newPage()
  await page.goto(`${origin}/index.html`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('idempotency')
  await page.locator('#tsd-search-results a').first().waitFor()
  t.match(await page.locator('#tsd-search-results').innerText(), /A service of your own/)
})
