import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { textsRead } from '../../../core/registry/rules/translations.ts'
import { languageOf } from '../../../core/vocabulary/language.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { get } = await serveGeneration(t, await generationOf(t, ['test/fixture/archive']))

const pageOf = async (path: string): Promise<string> => await (await get(path)).text()

t.test('a field with the key of an entry of another corpus links to the page of that entry', async t => {
  const target = '<dd><a href="/api/v1/archive/persons/ada-brook?format=html">ada-brook</a></dd>'
  t.match(await pageOf('/api/v1/archive/letters/storm?format=html'), target)
  const { status } = await get('/api/v1/archive/persons/ada-brook?format=html')
  t.equal(status, 200)
})

t.test('so does each key in a list', async t => {
  const text = await pageOf('/api/v1/archive/events?format=html&limit=10')
  t.match(
    text,
    /<td data-label="[^"]+">(?:<a href="\/api\/v1\/archive\/persons\/[a-z-]+\?format=html">[a-z-]+<\/a>(?:, )?){2,}<\/td>/
  )
})

t.test('the page of an entry links to the lists of those that name it, with the filter', async t => {
  const text = await pageOf('/api/v1/archive/persons/ada-brook?format=html')
  t.match(
    text,
    '<h2>Entries that name this one</h2><ul><li><a href="/api/v1/archive/letters?writer=ada-brook&amp;format=txt">Letters · Writer</a></li></ul>'
  )
  t.match(await pageOf('/api/v1/archive/letters?writer=ada-brook&format=txt'), 'ada-brook')
  t.notMatch(await pageOf('/api/v1/archive/events?format=html'), 'Entries that name this one')
  const { headers } = await get('/api/v1/archive/persons/ada-brook')
  t.notMatch(headers.get('link') ?? '', 'related', 'the links of answers from files stay as the service declares them')
})

t.test('in another language, too', async t => {
  const folder = t.testdir()
  cpSync('test/fixture/archive', folder, { recursive: true })
  const change = (file: string, ...changes: readonly (readonly [from: string, to: string])[]): void => {
    const path = join(folder, 'manifests', file)
    const text = changes.reduce((before, [from, to]) => before.replace(from, to), readFileSync(path, 'utf8'))
    writeFileSync(path, text)
  }
  change('service.yaml', ['id: harbour-archive\n', 'id: harbour-archive\nlanguages: [en, de]\n'])
  change(
    'letters.yaml',
    ['filters: [writer]', 'filters: [{ name: sender, field: writer, operation: equals }]'],
    ['{ writer: ada-brook }', '{ sender: ada-brook }']
  )
  mkdirSync(join(folder, 'translations'))
  writeFileSync(join(folder, 'translations/de.yaml'), 'Letters: Briefe\nSender: Absender\n')
  const { get: ask, registry } = await serveGeneration(t, await generationOf(t, [relative(process.cwd(), folder)]))
  const page = await ask('/api/v1/archive/persons/ada-brook?format=html', { headers: { 'Accept-Language': 'de' } })
  t.match(await page.text(), /<h2>Einträge, die diesen nennen<\/h2><ul><li><a [^>]*>Briefe · Absender<\/a>/)
  const read = textsRead(registry).map(({ text }) => text)
  for (const text of ['Letters', 'Sender']) t.ok(read.includes(text), `${text} is told where it is not translated`)
  const german = languageOf('de', registry.dictionaries.get('de') ?? new Map())
  t.equal(
    german.messageOf('Entries whose `writer` is this value. (Key of an entry of `persons`.)'),
    'Einträge, deren `writer` diesen Wert hat. (Schlüssel eines Eintrags von `persons`.)'
  )
})
