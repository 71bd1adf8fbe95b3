import { gzipSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pageExamples } from '../support/page-examples.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** What a visitor loads with the first page: the page, its style, its scripts and its icon. */
const mostBytes = 60 * 1024

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

const { url: databaseUrl } = await bundledDatabase(t)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
const pages = await Promise.all(pageExamples(registry).map(async one => {
  const response = await get(one.example.url, requestOf(one.example))
  return { ...one, path: one.example.url, response, html: await response.text() }
}))
t.ok(pages.length > 45, `${pages.length} pages`)

t.test('every page is valid HTML, without anything that its policy forbids', async t => {
  for (const { path, html, response } of pages) {
    const { results } = await validator.validateString(html)
    t.same(results.flatMap(({ messages }) => messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`)), [], path)
    t.notMatch(html, /<style|\sstyle=|\son[a-z]+=|javascript:/i, `${path}: no style or script in it`)
    t.notMatch(html, /<img(?![^>]*src="\/api\/v1\/calling-card)|<iframe|<script(?! type="module" src="\/assets\/)/, `${path}: pictures and scripts are ours`)
    t.match(response.headers.get('content-security-policy'), /default-src 'none'/, path)
  }
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
  for (const { path, html } of pages) {
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    const sizes = await Promise.all(files.map(async file => gzipSync(await (await get(file)).text()).length))
    const whole = gzipSync(html).length + sizes.reduce((sum, size) => sum + size, 0)
    t.ok(whole <= mostBytes, `${path} takes ${whole} bytes`)
    for (const file of files) t.match((await get(file)).headers.get('cache-control'), /immutable/, file)
  }
})

t.test('a page that fails says what happened, and where to go', async t => {
  for (const { path, html, example: { expect } } of pages.filter(({ example }) => example.expect.status >= 400)) {
    t.match(html, new RegExp(`<h1>[^<]+</h1>.*Status ${expect.status}\\.`, 's'), path)
    t.match(html, /<main.*<a href="\/"/s, `${path}: a way on`)
  }
})

t.test('what is asked again is not sent again, and comes compressed', async t => {
  for (const { path, response } of pages.filter(({ example, surface }) => example.expect.status === 200 && surface.cache !== 'no-store')) {
    const etag = response.headers.get('etag')
    if (etag === null) continue
    t.equal((await get(path, { method: 'HEAD' })).status, 200, path)
    t.match((await get(path, { headers: { 'Accept-Encoding': 'gzip' } })).headers.get('content-encoding'), 'gzip', path)
  }
})

t.test('links lead both ways', async t => {
  for (const { path, response, surface } of pages.filter(({ example }) => example.expect.status === 200)) {
    const data = /<([^>]+)>; rel="alternate"; type="application\/json"/.exec(response.headers.get('link') ?? '')?.[1]
    if (surface.page?.shows[0] === undefined || data === undefined) continue
    const back = (await get(data)).headers.get('link') ?? ''
    if (path.split('?')[0] === '/') continue
    t.match(back, 'type="text/html"', `${data} leads to a page, as ${path} leads to it`)
  }
})

t.test('what leads to JSON says so', async t => {
  for (const { path, html } of pages.filter(({ example }) => example.expect.status === 200)) {
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? []
    for (const [whole, href = ''] of main.matchAll(/<a href="(\/api\/[^"]*)"[^>]*>.*?<\/a>.{0,20}/gs)) t.match(whole, /JSON|program|data|picture|SVG/i, `${path}: ${href}`)
  }
})

t.test('markup in what is asked for stays text', async t => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</title>`
  for (const { surface } of pages) {
    const { route: { path, placeholders }, input } = surface
    const filled = placeholders.reduce((text, name) => text.replace(`{${name}}`, encodeURIComponent(evil)), path)
    const names = Object.keys((input.query['properties'] ?? {}))
    for (const query of ['', ...names.map(name => `?${name}=${encodeURIComponent(evil)}`)]) {
      const text = await (await get(filled + query)).text()
      t.notMatch(text, /<script>alert|<img src=x|'<\/title>/, filled + query)
    }
  }
})
