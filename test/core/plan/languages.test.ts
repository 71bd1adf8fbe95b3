import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { answerOf, compileUnserved } from '../../../bin/ask.ts'
import { parseFields } from '../../../core/plan/head.ts'
import { memoBytes } from '../../../core/plan/choose.ts'
import type { Answer } from '../../../core/plan/request.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import type { JsonSchema } from '../../../core/canonical/json.ts'
import { times } from '../../support/effort.ts'
import { museum, registryOf } from '../../support/registry.ts'
import { generationOf, serveGeneration, type Served } from '../../support/serve-root.ts'
import { standard } from '../../support/standard.ts'

const exhibits = '/api/v1/museum/exhibits'

type Language = Readonly<{
  tag: string
  available: readonly string[]
  fallback: Readonly<{ tag: string; untranslated: object }> | null
}>
type Body = Readonly<{
  data: { exhibits: readonly { title: string }[]; exhibit: { title: string } }
  _meta: { language?: Language; next_link: string | null }
}>

const serveMuseum = async (
  t: Test
): Promise<Served & { json: (path: string, accept?: string) => Promise<{ response: Response; body: Body }> }> => {
  const served = await serveGeneration(t, await generationOf(t, [museum]))
  return {
    ...served,
    json: async (path, accept) => {
      const response = await served.get(path, accept === undefined ? {} : { headers: { 'Accept-Language': accept } })
      return { response, body: (await response.json()) as Body }
    }
  }
}

const titles = ({ data }: Body): string[] => data.exhibits.map(({ title }) => title)

t.test('`lang` decides, then Accept-Language, then the default; the answer says which it is', async t => {
  const { json } = await serveMuseum(t)
  const cases: [query: string, accept: string | undefined, tag: string][] = [
    ['', undefined, 'en'],
    ['', 'de-AT, en;q=0.5', 'de'],
    ['', 'it', 'en'],
    ['?lang=fr', undefined, 'fr'],
    ['?lang=fr', 'de', 'fr'],
    ['?lang=en', 'de', 'en'],
    ['?limit=1', 'fr', 'fr']
  ]
  for (const round of [1, 2]) {
    for (const [query, accept, tag] of cases) {
      const { body, response } = await json(exhibits + query, accept)
      const what = `round ${round}: ${query} ${accept ?? ''}`
      t.equal(body._meta.language?.tag, tag, what)
      t.equal(titles(body)[0], { en: 'The compass', de: 'Der Kompass', fr: 'La boussole' }[tag], what)
      t.equal(response.headers.get('vary'), 'Accept, Accept-Encoding, Accept-Language', what)
    }
  }
})

t.test('what is not translated is in the default language, and the answer says what that is', async t => {
  const { json } = await serveMuseum(t)
  const french = await json(`${exhibits}?lang=fr`)
  t.strictSame(french.body._meta.language, {
    tag: 'fr',
    available: ['en', 'de', 'fr'],
    fallback: { tag: 'en', untranslated: { compass: ['text'], comet: ['title', 'text'] } }
  })
  t.equal(french.response.headers.get('content-language'), 'fr, en')
  const german = await json(`${exhibits}?lang=de`)
  t.equal(german.body._meta.language?.fallback, null, 'the anchor is on the next page')
  t.equal(german.response.headers.get('content-language'), 'de')
  t.equal(
    (await json(`${exhibits}/comet?lang=fr`)).response.headers.get('content-language'),
    'en',
    'nothing of it is in French'
  )
  const years = await json('/api/v1/museum/years?lang=fr')
  t.equal(years.response.headers.get('content-language'), 'fr', 'numbers need no translation')
  t.equal(years.body._meta.language?.fallback, null, 'only what is shown counts')
  t.match((await json('/api/v1/museum/exhibits/today', 'de')).body.data.exhibit.title, /^Der /)
})

t.test('each language is a representation of its own: entity tag, prepared answer, links', async t => {
  const { get, json } = await serveMuseum(t)
  for (const path of [
    exhibits,
    `${exhibits}?format=md`,
    `${exhibits}/anchor`,
    '/museum/rooms.json',
    '/api/v1/museum/years'
  ]) {
    const rooms = path.includes('rooms')
    const tags = new Map<string, string>()
    for (const language of rooms ? ['en', 'pt-BR', 'zh-Hant'] : ['en', 'de', 'fr']) {
      const { headers } = await get(path, { headers: { 'Accept-Language': language } })
      const etag = headers.get('etag') ?? ''
      t.notOk(tags.has(etag), `${path} in ${language} has an entity tag of its own`)
      tags.set(etag, language)
      const again = await get(path, { headers: { 'Accept-Language': `${language};q=0.9, xx`, 'If-None-Match': etag } })
      t.equal(again.status, 304, `${path} in ${language} is unchanged, whatever the header looks like`)
      t.match(again.headers.get('vary'), /Accept-Language/)
    }
    const [german = ''] = [...tags].find(([, language]) => language === 'de' || language === 'pt-BR') ?? []
    t.equal(
      (await get(path, { headers: { 'Accept-Language': 'en', 'If-None-Match': german } })).status,
      200,
      `${path}: the tag of another language is no match`
    )
  }
  const links = (await json(`${exhibits}?hall=sea`, 'de')).response.headers.get('link') ?? ''
  t.match(links, `<${exhibits}?hall=sea&lang=en>; rel="alternate"; hreflang="en"`)
  t.match(links, `<${exhibits}?hall=sea&lang=fr>; rel="alternate"; hreflang="fr"`)
  t.notMatch(links, 'hreflang="de"', 'not the answer itself')
})

t.test('a language that is not declared is refused by name', async t => {
  const { get } = await serveMuseum(t)
  for (const lang of ['it', 'DE', '', 'de-AT']) {
    const response = await get(`${exhibits}?lang=${lang}`)
    t.equal(response.status, 400, lang)
    t.match(await response.json(), {
      error: { code: 'INVALID_INPUT', details: { field: 'lang', allowed: ['en', 'de', 'fr'] } }
    })
  }
  t.equal((await get(`${exhibits}?lang=de&lang=fr`)).status, 400)
  t.equal((await get('/api/v1/museum/hours?lang=it')).status, 200, 'where it is not declared, it is not read')
})

t.test('pages of a language follow its own order, and text forms say their language', async t => {
  const { get, json } = await serveMuseum(t)
  const first = await json(`${exhibits}?lang=de`)
  const next = await json(first.body._meta.next_link ?? '')
  t.strictSame(titles(next.body), ['Der Anker'], 'the next page is in the same language')
  const asked = await get(exhibits, { headers: { 'Accept-Language': 'de' } })
  t.match(((await asked.json()) as Body)._meta.next_link, /[?&]lang=de/, 'also where a header chose it')
  t.notMatch(
    (await get(first.body._meta.next_link ?? '')).headers
      .get('link')
      ?.split(', ')
      .filter(link => link.includes('hreflang'))
      .join(),
    /cursor=/,
    'a position is one of its own language'
  )
  t.match(await (await get(`${exhibits}?format=html&lang=de`)).text(), /<html lang="de">/)
  t.match(
    await (await get(`${exhibits}?format=atom`, { headers: { 'Accept-Language': 'fr' } })).text(),
    /<feed xmlns="[^"]+" xml:lang="fr">/
  )
  t.match(await (await get(`${exhibits}?format=md&lang=fr`)).text(), /## La boussole/)
})

t.test('a surface without declared languages does not know the header', async t => {
  const { get } = await serveMuseum(t)
  for (const path of ['/api/v1/museum/hours', '/api/v1/manifest']) {
    const [plain, asked] = [await get(path), await get(path, { headers: { 'Accept-Language': 'de' } })]
    t.equal(asked.headers.get('etag'), plain.headers.get('etag'))
    t.notMatch(asked.headers.get('vary'), /Language/)
    t.equal(asked.headers.get('content-language'), null)
    t.notMatch(await asked.text(), /"language":/)
  }
})

t.test('code that reads a corpus with languages reads the default one, and its surface has no language', async t => {
  const root = t.testdir()
  cpSync(museum, root, { recursive: true })
  mkdirSync(join(root, 'surfaces', 'handlers'), { recursive: true })
  writeFileSync(
    join(root, 'surfaces', 'handlers', 'oldest.js'),
    `import { defineDerived, reply, Type } from 'pantry/handler'
export default defineDerived({
  corpora: { exhibits: Type.Object({ title: Type.String(), year: Type.Integer() }) },
  reply: Type.Object({ title: Type.String() }, { additionalProperties: false }),
  derive: ({ corpora }) => reply({ title: corpora.exhibits.entries[0].title })
})
`
  )
  const hours = readFileSync(join(root, 'manifests', 'hours.yaml'), 'utf8')
  writeFileSync(
    join(root, 'manifests', 'oldest.yaml'),
    hours
      .replace('kind: document', 'kind: derived')
      .replace('museum/hours', 'museum/oldest')
      .replace(/^document: .*\n/m, '')
  )
  const { get } = await serveGeneration(t, await generationOf(t, [root]))
  const response = await get('/api/v1/museum/oldest', { headers: { 'Accept-Language': 'de' } })
  t.match(await response.json(), { data: { title: 'The compass' } })
  t.notMatch(response.headers.get('vary'), /Language/)
  t.equal(response.headers.get('content-language'), null)
})

t.test(
  'whatever Accept-Language says, the answer is in a declared language, and what is made for it is kept once',
  async t => {
    const { registry } = await registryOf([museum])
    const faults: unknown[] = []
    const generation = compileUnserved(
      registry,
      standard.table,
      {},
      {
        onFault: error => {
          faults.push(error)
        }
      }
    )
    const ask = (language: string) =>
      answerOf(generation, { method: 'GET', url: '/museum/rooms.json', headers: { 'accept-language': language } })
    const headerOf = (answer: Answer, name: string): string | undefined =>
      parseFields(answer.head).find(([known]) => known === name)?.[1]
    const known = new Map<string | undefined, string>()
    for (const language of ['en', 'pt-BR', 'zh-Hant']) {
      const answer = await ask(language)
      known.set(headerOf(answer, 'ETag'), String(answer.body))
    }
    t.equal(known.size, 3)
    const junk = fc.oneof(
      fc.string(),
      fc.string({ minLength: 600, maxLength: 2000 }),
      fc
        .array(fc.constantFrom('pt', 'zh-TW', 'en;q=0', '*;q=0.3', 'x', ';', 'zh-Hant-HK;q=0.9'))
        .map(parts => parts.join(','))
    )
    await fc.assert(
      fc.asyncProperty(junk, async language => {
        const answer = await ask(language)
        return answer.status === 200 && known.get(headerOf(answer, 'ETag')) === answer.body
      }),
      { numRuns: times(2000) }
    )
    const before = memoBytes()
    for (let index = 0; index < 50; index += 1) await ask(`pt-BR, ${`x-${index}, `.repeat(200)}`)
    t.equal(memoBytes(), before, 'long headers leave nothing behind')
    t.same(faults, [])
  }
)

t.test('the documents say which languages there are, and only of surfaces that have some', async t => {
  const { get, json } = await serveMuseum(t)
  const read = async (path: string): Promise<string> => JSON.stringify(await (await get(path)).json())
  const manifest = JSON.parse(await read('/api/v1/manifest')) as {
    resources: Record<string, { id: string; languages?: string[] }[]>
  }
  const resources = Object.values(manifest.resources).flat()
  t.strictSame(resources.find(({ id }) => id === 'exhibits')?.languages, ['en', 'de', 'fr'])
  t.equal(resources.find(({ id }) => id === 'hours')?.languages, undefined)
  const openapi = JSON.parse(await read('/api/openapi.json')) as {
    paths: Record<
      string,
      {
        get: {
          parameters?: { name: string; in: string; schema: object }[]
          responses: Record<string, { headers: object }>
        }
      }
    >
    components: { schemas: { Meta: JsonSchema } }
  }
  const operation = openapi.paths[exhibits]?.get
  t.match(
    operation?.parameters?.find(({ name }) => name === 'lang'),
    { in: 'query', required: false, schema: { type: 'string', enum: ['en', 'de', 'fr'] } }
  )
  t.match(
    operation?.parameters?.find(({ name }) => name === 'Accept-Language'),
    { in: 'header', schema: { type: 'string' } }
  )
  t.ok('Content-Language' in (operation?.responses['200']?.headers ?? {}))
  t.equal(openapi.paths['/api/v1/museum/hours']?.get.parameters, undefined)
  t.same(compileSchema(openapi.components.schemas.Meta)((await json(`${exhibits}?lang=fr`)).body._meta), [])
  t.match(
    await read('/api/v1/tools?names=get_exhibits'),
    /"parameter":"lang","in":"query",[^}]*"enum":\["en","de","fr"\]/
  )
  t.match(await read('/api/v1/ontology'), /"name":"languages"/)
  t.match(await read('/api/v1/graph'), /"languages":"en, de, fr"/)
})
