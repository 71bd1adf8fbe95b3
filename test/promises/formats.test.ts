import t from 'tap'
import { formatModules, formatTable } from '../../core/format/index.ts'
import { elementTexts, markupProblem } from '../support/markup.ts'
import { withoutStore } from '../support/registry.ts'
import { generationOf, library, serveGeneration } from '../support/serve-root.ts'

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** What is wrong with a text of a media type; `undefined` when a reader of the type can read it. */
function problemOf(mediaType: string, text: string): string | undefined {
  const [type = ''] = mediaType.split(';')
  if (/[/+]json$/.test(type)) return JSON.parse(text) === undefined ? 'nothing' : undefined
  if (/[/+]xml$/.test(type)) return markupProblem(text, 'xml')
  if (type === 'text/html')
    return (
      markupProblem(text, 'html') ??
      (/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=/.test(text)
        ? 'something its policy forbids'
        : undefined)
    )
  if (type === 'text/markdown')
    return /^# \S/.test(text) && !/\n{3}/.test(text) ? undefined : 'no heading, or empty lines in a row'
  if (type === 'application/x-ndjson') for (const line of text.trimEnd().split('\n')) JSON.parse(line)
  return text.trim() === '' ? 'empty' : undefined
}

/** RFC 4287 §4.1.1, §4.1.2 and §4.2.6: what a feed and each of its entries must have. */
function feedProblem(feed: string, self: string): string | undefined {
  const [head = '', ...entries] = feed.split('<entry>')
  const ids = elementTexts(feed, 'id')
  if (new Set(ids).size !== ids.length || !ids.every(id => URL.canParse(id)))
    return 'ids that are not absolute, or occur twice'
  if (!elementTexts(feed, 'updated').every(moment => rfc3339.test(moment) && !Number.isNaN(Date.parse(moment))))
    return 'a date that is not RFC 3339'
  if (elementTexts(head, 'name').length !== 1 || !head.includes('<author>')) return 'no author'
  if (!head.includes(`<link rel="self" type="application/atom+xml" href="${self}"/>`)) return 'no link to itself'
  for (const part of [head, ...entries])
    if (['id', 'title', 'updated'].some(name => elementTexts(part, name).length !== 1))
      return 'an id, title or date that is missing or occurs twice'
  const latest = elementTexts(entries.join(''), 'updated')
    .map(moment => Date.parse(moment))
    .sort((a, b) => b - a)[0]
  return latest === undefined || latest === Date.parse(elementTexts(head, 'updated')[0] ?? '')
    ? undefined
    : 'a feed older than its newest entry'
}

t.test('every format of every surface can be read as what it says it is', async t => {
  for (const root of ['.', library]) {
    const { get, registry } = await serveGeneration(t, await generationOf(t, [root]))
    for (const surface of withoutStore(registry).filter(
      ({ formats, route }) => formats.length > 1 && route.methods.includes('GET')
    )) {
      const path =
        (surface.examples.find(({ expect }) => expect.status === 200)?.url ?? surface.route.path).split('?')[0] ?? ''
      const tags = new Set<string | null>()
      for (const format of surface.formats) {
        const { mediaType, accepts } = formatTable(registry.service.formats).get(format) ?? formatModules.json
        const response = await get(`${path}?format=${format}`)
        const text = await response.text()
        const what = `${path} as ${format}`
        t.equal(response.status, 200, what)
        t.equal(response.headers.get('content-type'), mediaType, what)
        t.equal(problemOf(mediaType, text), undefined, what)
        if (format === 'atom') {
          t.equal(feedProblem(text, `${registry.service.base_url}${path}?format=atom`), undefined, what)
          for (const [, href = ''] of text
            .split('<entry>')
            .slice(1)
            .join('')
            .matchAll(/<link rel="alternate" href="([^"]*)"/g)) {
            if (!href.startsWith(registry.service.base_url)) continue
            const read = await get(href.slice(registry.service.base_url.length))
            t.match([read.status, read.headers.get('content-type')], [200, /^text\//], `${href} is for reading`)
          }
        }
        t.match(response.headers.get('vary'), /^Accept, /, what)
        tags.add(response.headers.get('etag'))
        const [accepted] = accepts
        if (accepted !== undefined && !accepted.includes('*'))
          t.equal(
            (await get(path, { headers: { Accept: accepted } })).headers.get('content-type'),
            mediaType,
            `${path} accepting ${accepted}`
          )
      }
      if (surface.cache === 'no-store') t.same([...tags], [null], `${path}: what is not stored has no tag`)
      else t.equal(tags.size, surface.formats.length, `${path}: one tag for each representation`)
      const refused = await get(`${path}?format=papyrus`)
      t.equal(refused.status, 400, path)
      if (surface.formats[0] === 'html') {
        t.match(await refused.text(), /<p>.*format.*<\/p>.*Status 400\./, `${path}: a page fails as a page`)
        continue
      }
      const { error } = (await refused.json()) as { error: { details: { field: string; allowed: string[] } } }
      t.match(error.details, { field: 'format', allowed: [...surface.formats] }, path)
    }
  }
})
