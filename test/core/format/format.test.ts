import fc from 'fast-check'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { formatModules } from '../../../core/format/index.ts'
import type { View } from '../../../core/format/format.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { elementTexts, markupProblem } from '../../support/markup.ts'
import { site } from '../../support/site.ts'

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '</title><script>',
    ']]>',
    '<!--',
    '&#0;',
    '\ud800',
    '\u0000\u0008\u001f',
    '\ufffe\uffff',
    'javascript:alert(1)',
    '//evil.example',
    '/a"b',
    'https://a.example/"><x',
    '---',
    '1. a\n2. b',
    '# x'
  )
)
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostile,
    fc.constantFrom(null, true, 0, -1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hostile, tie('value'), { maxKeys: 3 })
  )
})).value

const entry = fc.record({
  id: hostile,
  title: hostile,
  text: hostile,
  date: fc.oneof(
    hostile,
    fc.constantFrom('1813', '1997-06', '2026-11-20', '2026-11-20T10:00:00+01:00', '2026-13-40', '')
  ),
  link: hostile
})

const view = fc
  .record({ data: value, entries: fc.array(entry, { maxLength: 4 }), title: hostile, summary: hostile })
  .map(({ data, entries, title, summary }): View => ({
    title,
    summary,
    data,
    url: 'https://a.example/list',
    origin: 'https://a.example',
    service: 'A <service>',
    contact: 'a@a.example',
    since: '2026-11-20',
    site,
    path: '/list',
    list: {
      entries,
      key: 'id',
      roles: { title: 'title', text: 'text', date: 'date', link: 'link' },
      columns: ['id', 'title', 'text', 'date', 'link'],
      readAt: ({ id }) => `https://a.example/list/${encodeURIComponent((id as string).toWellFormed())}`
    }
  }))

t.test('whatever the data holds, markup is well-formed', async () => {
  fc.assert(
    fc.property(view, view => {
      for (const [form, markup] of [
        ['atom', 'xml'],
        ['svg', 'xml'],
        ['html', 'html']
      ] as const) {
        const problem = markupProblem(formatModules[form].render(view), markup)
        if (problem !== undefined) throw new Error(`${form}: ${problem}`)
      }
    }),
    { numRuns: 500 }
  )
})

t.test('no link of a page leads to a scheme that runs', async () => {
  fc.assert(
    fc.property(view, view => {
      for (const [, href = ''] of formatModules.html.render(view).matchAll(/href="([^"]*)"/g))
        if (!/^(https?:\/\/|\/(?!\/)|#[a-z]+$)/.test(href)) throw new Error(href)
    }),
    { numRuns: 300 }
  )
})

t.test('every feed keeps the rules of Atom', async () => {
  fc.assert(
    fc.property(view, view => {
      const feed = formatModules.atom.render(view)
      for (const moment of elementTexts(feed, 'updated'))
        if (!rfc3339.test(moment) || Number.isNaN(Date.parse(moment))) throw new Error(`updated: ${moment}`)
      for (const id of elementTexts(feed, 'id'))
        if (!URL.canParse(id) || !/^[\x21-\x7e]+$/.test(id)) throw new Error(`id: ${id}`)
      for (const [, href = ''] of feed.matchAll(/<link [^>]*href="([^"]*)"/g))
        if (!URL.canParse(href) || !/^https?:/.test(href)) throw new Error(`href: ${href}`)
      if (elementTexts(feed, 'updated').length !== (view.list?.entries.length ?? 0) + 1)
        throw new Error('an entry without a date')
    }),
    { numRuns: 500 }
  )
})

t.test('lines of NDJSON are JSON, and their number is that of the entries', async () => {
  fc.assert(
    fc.property(view, view => {
      const lines = formatModules.ndjson.render(view).split('\n').slice(0, -1)
      for (const line of lines) JSON.parse(line)
      return lines.length === view.list?.entries.length
    })
  )
})

t.test('text in Markdown stays text', async t => {
  const render = (text: string): string =>
    formatModules.md.render({
      title: 'T',
      summary: text,
      data: null,
      url: 'https://a.example/',
      origin: 'https://a.example',
      service: 'S',
      contact: 'a@a.example',
      since: '2026-11-20',
      site,
      path: '/list'
    })
  t.match(render('# not a heading'), '\\# not a heading')
  t.match(render('before\n---\nafter'), 'before\n\\---\nafter')
  t.match(render('1. not a list'), '1\\. not a list')
  t.match(render('- not a list'), '\\- not a list')
  t.match(render('&lt;b&gt; is written so'), '\\&lt;b\\&gt; is written so')
  t.match(render('~~not struck~~'), '\\~\\~not struck\\~\\~')
  t.match(render('R&D, 3-4, a+b'), 'R&D, 3-4, a+b')
})

t.test(
  'a null is said to be not given, in every text: it may be withheld, and none would deny that there is something',
  async t => {
    const nothing = (format: 'md' | 'txt'): string =>
      formatModules[format].render({
        title: 'T',
        summary: 'S',
        data: { list: [null], object: { member: null }, plain: null },
        url: 'https://a.example/',
        origin: 'https://a.example',
        service: 'S',
        contact: 'a@a.example',
        since: '2026-11-20',
        site,
        path: '/list'
      })
    for (const format of ['md', 'txt'] as const) {
      t.equal(nothing(format).match(/not given/g)?.length, 3, format)
      t.notMatch(nothing(format), 'null', format)
    }
  }
)

const plain: View = {
  title: 'T',
  summary: 'S',
  data: null,
  url: 'https://a.example/',
  origin: 'https://a.example',
  service: 'S',
  contact: 'a@a.example',
  since: '2026-11-20',
  site,
  path: '/list'
}
const titled = (title: string, entries: readonly Record<string, JsonValue>[]): View => ({
  ...plain,
  title,
  list: { entries, key: 'id', roles: {}, columns: ['id'], readAt: () => 'https://a.example/one' }
})

t.test('an entry without a date has the date of the surface, and so has a feed without entries', async t => {
  const updated = (entries: readonly Record<string, JsonValue>[]): readonly string[] =>
    elementTexts(formatModules.atom.render(titled('T', entries)), 'updated')
  t.strictSame(updated([]), ['2026-11-20T00:00:00Z'])
  t.strictSame(updated([{ id: 'a' }, { id: 'b', date: 'soon' }, { id: 'c', date: '2026-11-19' }]), [
    '2026-11-20T00:00:00Z',
    '2026-11-20T00:00:00Z',
    '2026-11-20T00:00:00Z',
    '2026-11-19T00:00:00Z'
  ])
  t.strictSame(updated([{ id: 'a', date: '2026-12-01' }]), ['2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z'])
})

t.test('a title of several lines is one line, in every text', async t => {
  const view = titled('One\n# two', [{ id: 'a', title: 'Three\r\n\n four', date: '2026\n5' }])
  const lines = formatModules.md.render(view).split('\n')
  t.equal(lines[0], '# One \\# two')
  t.ok(lines.includes('## 2026 5 · Three four'), lines.join('\n'))
  t.match(
    formatModules.txt.render({ ...view, data: { 'a\nb': { c: 'd' } } }),
    /^One # two\n=========\n\nS\n\nA b\n---\n/
  )
  const long = 'x'.repeat(90)
  t.match(formatModules.md.render({ ...plain, data: { 'a\nb': long } }), /\n## A b\n/)
})

t.test('a sitemap is of URLs, or an index of sitemaps', t => {
  const render = (data: JsonValue): string => formatModules.sitemap.render({ ...plain, data })
  t.match(render({ urls: ['/a?b=1&c'] }), '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>')
  t.match(render({ urls: ['/a?b=1&c'] }), '<url><loc>https://a.example/a?b=1&amp;c</loc></url>')
  t.match(
    render({ urls: [], sitemaps: ['/sitemap.xml?part=1'] }),
    /<sitemapindex [^>]*>\n<sitemap><loc>https:\/\/a\.example\/sitemap\.xml\?part=1<\/loc><\/sitemap>\n<\/sitemapindex>\n$/
  )
  t.end()
})
