// test: slow.
import { gzipSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import { isOpen } from '../../core/access/index.ts'
import { escapeXml } from '../../core/format/format.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pageExamples, type PageExample } from '../support/page-examples.ts'
import { readHtml } from '../support/read-html.ts'
import { library, museum } from '../support/registry.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/**
 * What a visitor loads with the first page: the page, its style, its scripts and its icon; with faces also all of them,
 * of which those below the first screen come later.
 */
const mostBytes = { plain: 45 * 1024, faces: 150 * 1024 }

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // Preact closes empty elements as XML does, which HTML allows (§13.1.2.1).
    'void-style': 'off',
    // `tabindex` and `role` make what scrolls reachable by keyboard, which axe asks for.
    'no-redundant-role': 'off',
    'prefer-native-element': ['error', { exclude: ['region', 'search', 'img', 'status', 'list'] }],
    // White space at line ends costs nothing and means nothing.
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // Lists and plots may be named; only what cannot have a name is a mistake (ARIA 1.2 §5.2.8.6).
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // HTML §13.1.1: letter case does not matter.
    'doctype-style': 'off'
  }
})

async function findingsIn(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`)
  )
}

const { url: databaseUrl } = await bundledDatabase(t)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
const pages: (PageExample & Readonly<{ path: string; response: Response; html: string }>)[] = []
// One after the other: a service refuses what it cannot answer in time, also when a test asks.
for (const one of pageExamples(registry)) {
  const response = await get(one.example.url, requestOf(one.example))
  pages.push({ ...one, path: one.example.url, response, html: await response.text() })
}
t.ok(pages.length > 45, `${pages.length} pages`)

t.test('every page is valid HTML, without anything that its policy forbids', async t => {
  for (const { path, html, response } of pages) {
    t.same(await findingsIn(html), [], path)
    t.notMatch(html, /<style|\sstyle=|\son[a-z]+=|javascript:/i, `${path}: no style or script in it`)
    t.notMatch(
      html,
      /<img(?![^>]*src="\/api\/v1\/(?:calling-card|cards\/[^"]+\/face))|<iframe|<script(?! type="(?:module" src="\/assets\/|application\/ld\+json"))/,
      `${path}: pictures and scripts are ours`
    )
    t.match(response.headers.get('content-security-policy'), /default-src 'none'/, path)
  }
})

t.test('the search stands on every page', async t => {
  for (const { path, html } of pages)
    t.match(html, /<form role="search" action="\/prices\/search"[^>]*>.*?name="q"/, path)
  for (const { path, html } of pages)
    t.match(html, '<link rel="search" type="application/opensearchdescription+xml"', path)
  const description = await get('/opensearch.xml')
  t.equal(description.headers.get('content-type'), 'application/opensearchdescription+xml')
  const template = /template="([^"]+)"/.exec(await description.text())?.[1] ?? ''
  const search = new URL(template.replace('{searchTerms}', encodeURIComponent('Luffy & Ace')))
  t.equal((await get(search.pathname + search.search)).status, 200)
})

t.test('a public page says what it is to those who link to it', async t => {
  const shared = pages.filter(
    ({ example, surface, response }) => response.status === 200 && example.body === undefined && isOpen(surface.access)
  )
  const of = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? ''
  const described = new Map<string, string>()
  for (const { path, html } of shared) {
    const canonical = of(html, /<link rel="canonical" href="([^"]+)"/)
    const description = of(html, /<meta property="og:description" content="([^"]+)"/)
    t.equal((await get(new URL(canonical).pathname)).status, 200, `${path}: ${canonical}`)
    t.equal(description, of(html, /<meta name="description" content="([^"]+)"/), path)
    if (path.startsWith('/explore')) continue
    const other = described.get(description)
    t.ok(other === undefined || other === canonical, `${path} and ${other ?? ''} have descriptions of their own`)
    described.set(description, canonical)
    for (const [, text = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
      JSON.parse(text)
      t.notMatch(text, /"(?:price|offers|aggregateRating|image)"/i, `${path}: nothing that may not be published`)
    }
  }
  t.ok(described.size > 20, `${described.size} descriptions`)
})

t.test('nothing withheld is shown', async t => {
  for (const { path, html } of pages) {
    // Explained surfaces show their examples of currencies and media types.
    if (path.startsWith('/explore')) continue
    t.notMatch(html, /[£$€¥]\s?[0-9]|[0-9]\s?(?:GBP|USD|EUR|JPY)\b/, `${path}: no price`)
    t.notMatch(html, /https?:[^\s"'<>]+\.(?:avif|gif|jpe?g|png|webp)\b/i, `${path}: no picture`)
  }
})

t.test('a page and what it loads are small', async t => {
  const sizes = new Map<string, number>()
  for (const { path, html } of pages) {
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    const faces = [...html.matchAll(/<img[^>]* src="(\/api\/v1\/cards\/[^"]+)"/g)].map(([, face = '']) => face)
    let whole = gzipSync(html).length
    for (const file of [...files, ...faces]) {
      const bytes = sizes.get(file) ?? gzipSync(await (await get(file)).text()).length
      sizes.set(file, bytes)
      whole += bytes
    }
    const most = faces.length === 0 ? mostBytes.plain : mostBytes.faces
    t.ok(whole <= most, `${path} takes ${whole} bytes with ${faces.length} faces`)
    for (const file of files) t.match((await get(file)).headers.get('cache-control'), /immutable/, file)
  }
})

t.test('a page that fails says what happened, and where to go', async t => {
  for (const {
    path,
    html,
    example: { expect }
  } of pages.filter(({ example }) => example.expect.status >= 400)) {
    t.match(html, new RegExp(`<h1>[^<]+</h1>.*Status ${expect.status}\\.`, 's'), path)
    t.match(html, /<main.*<a href="\/"/s, `${path}: a way on`)
  }
})

t.test('what is asked again is not sent again, and comes compressed', async t => {
  for (const { path, html, response } of pages.filter(
    ({ example, surface }) => example.expect.status === 200 && surface.cache !== 'no-store' && isOpen(surface.access)
  )) {
    const head = await get(path, { method: 'HEAD' })
    t.same(
      [head.status, await head.text(), head.headers.get('content-type')],
      [200, '', response.headers.get('content-type')],
      path
    )
    const compressed = await get(path, { headers: { 'Accept-Encoding': 'gzip' } })
    t.equal(compressed.headers.get('content-encoding'), 'gzip', path)
    t.equal((await compressed.text()).length, html.length, path)
    // What the explorer ran has the moment of its answer in it.
    if (path.includes('run=yes')) continue
    const again = await get(path, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } })
    t.same([again.status, await again.text()], [304, ''], path)
  }
})

t.test('links lead both ways', async t => {
  for (const { path, response, surface } of pages.filter(({ example }) => example.expect.status === 200)) {
    const [, data] =
      /<([^>]+)>; rel="alternate"; type="application\/json"/.exec(response.headers.get('link') ?? '') ?? []
    const [first] = surface.page?.shows ?? []
    if (first === undefined) continue
    t.not(data, undefined, `${path} leads to its data`)
    const back = (await get(data ?? '')).headers.get('link') ?? ''
    const asked = new URL(path, 'http://x')
    const found = [...back.matchAll(/<([^>]+)>; rel="alternate"; type="text\/html"/g)]
      .map(([, link = '']) => new URL(link, 'http://x'))
      .find(({ pathname }) => pathname === asked.pathname)
    t.ok(found, `${data ?? ''} leads to ${path}: ${back}`)
    for (const [name, value] of found?.searchParams ?? []) t.equal(asked.searchParams.get(name), value, path)
  }
})

t.test('every link of a page leads somewhere', async t => {
  const from = new Map<string, string>()
  for (const { path, html } of pages) {
    for (const { name, attributes } of readHtml(html).elements) {
      const target = name === 'a' ? attributes.get('href') : undefined
      // What the explorer shows may be a failure.
      if (html.includes(`data-url="${escapeXml(target ?? '')}"`)) continue
      if (target?.startsWith('/') === true && !from.has(target)) from.set(target, path)
      if (target?.startsWith('#') === true)
        t.ok(html.includes(`id="${target.slice(1)}"`), `${path}: ${target} is there`)
    }
  }
  // What a surface never does, such as selling, is what it says: a card of the day may lead there.
  const declared = new Map(
    registry.surfaces.flatMap(({ examples }) => examples.map(({ url, expect }) => [url, expect.status]))
  )
  for (const [target, path] of from) {
    const response = await get(target.split('#')[0] ?? '')
    await response.body?.cancel()
    t.ok(
      response.status < 400 ||
        response.headers.has('retry-after') ||
        response.status === declared.get(target) ||
        // What is for members has the ways to sign in, which lead back to it.
        (response.status === 401 && /^\/account\/.*\?sku=/.test(target)),
      `${path} leads to ${target}, which answers ${response.status}`
    )
  }
  t.ok(from.size > 500, `${from.size} links`)
})

/** The paths that the links and forms of a page lead to. */
const targetsIn = (html: string): readonly string[] =>
  readHtml(html).elements.flatMap(({ name, attributes }) =>
    name === 'a' || name === 'form' ? (attributes.get(name === 'form' ? 'action' : 'href')?.split(/[?#]/)[0] ?? []) : []
  )

t.test('every page with one address is found from home, in at most three steps', async t => {
  const shown = new Map(
    pages
      .filter(({ response, example }) => response.status === 200 && example.body === undefined)
      .map(({ path, html }) => [path.split('?')[0] ?? '', html])
  )
  const found = new Set(['/'])
  for (const step of [1, 2, 3]) {
    for (const path of [...found]) for (const target of targetsIn(shown.get(path) ?? '')) found.add(target)
    t.comment(`${found.size} addresses after step ${step}`)
  }
  const fixed = new Set(
    pages
      .filter(
        ({ example, surface }) =>
          example.expect.status === 200 && example.body === undefined && surface.route.placeholders.length === 0
      )
      .map(({ path }) => path.split('?')[0] ?? '')
  )
  // Sign-in leads there where a service lets people sign up, which this one does not.
  t.same(
    [...fixed].filter(path => !found.has(path)),
    ['/account/sign-up']
  )
  t.ok(fixed.size > 10, `${fixed.size} pages`)
})

t.test('what leads to JSON says so', async t => {
  for (const { path, html } of pages.filter(({ example }) => example.expect.status === 200)) {
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? []
    for (const [whole, href = ''] of main.matchAll(/<a href="(\/api\/[^"]*)"[^>]*>.*?<\/a>.{0,20}/gs))
      t.match(whole, /JSON|program|data|picture|SVG/i, `${path}: ${href}`)
  }
})

t.test('markup in what is asked for stays text', async t => {
  const evil = `"><x-evil onx="1"></title>'\u202e`
  let shown = 0
  for (const {
    route: { path, placeholders },
    input
  } of new Set(pages.map(({ surface }) => surface))) {
    const filled = placeholders.reduce((text, name) => text.replace(`{${name}}`, encodeURIComponent(evil)), path)
    const names = Object.keys(input.query['properties'] ?? {})
    for (const query of [
      '',
      ...names.map(name => `?${name}=${encodeURIComponent(evil)}`),
      `?${encodeURIComponent(evil)}=1`
    ]) {
      const response = await get(filled + query, { headers: { Accept: 'text/html' } })
      const { elements, texts } = readHtml(await response.text())
      t.not(response.status, 500, filled + query)
      t.same(
        elements.filter(({ name, attributes }) => name === 'x-evil' || attributes.has('onx')),
        [],
        filled + query
      )
      if (
        texts.some(({ text }) => text.includes('x-evil')) ||
        elements.some(({ attributes }) => attributes.get('value')?.includes('x-evil') === true)
      )
        shown += 1
    }
  }
  t.ok(shown > 10, `${shown} pages show it`)
})

t.test('the documents that have a form for people beside others are valid HTML too', async t => {
  let count = 0
  for (const served of [
    { get, registry },
    await serveGeneration(t, await generationOf(t, [library])),
    await serveGeneration(t, await generationOf(t, [museum]))
  ]) {
    for (const { route, examples } of served.registry.surfaces.filter(
      ({ page, formats, route }) => page === undefined && formats.includes('html') && route.methods.includes('GET')
    )) {
      const path = (examples.find(({ expect }) => expect.status === 200)?.url ?? route.path).split('?')[0] ?? ''
      t.same(await findingsIn(await (await served.get(`${path}?format=html`)).text()), [], path)
      count += 1
    }
  }
  t.ok(count > 3, `${count} documents`)
})
