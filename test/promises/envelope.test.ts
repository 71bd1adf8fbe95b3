import t from 'tap'
import { envelope } from '../../bin/promises/envelope.ts'
import type { Example } from '../../core/manifest/surface.ts'
import { metaFields } from '../../core/vocabulary/words.ts'
import { withoutStore } from '../support/registry.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { subjectOf } from '../support/subject.ts'

type Body = {
  data: unknown
  error?: { code: string; status: number; message: string; docs: string }
  _meta: Record<string, unknown>
}

/** The eleven relations of the interface. */
const relations = [
  'self',
  'start',
  'describedby',
  'alternate',
  'invitation',
  'wake',
  'regard',
  'symmetric-surface',
  'kin-wake',
  'rate-limits',
  'feedback'
]

/** `<target>; rel="name uri"` members of a Link field. */
const linksOf = (field: string): { target: string; rels: string[] }[] =>
  [...field.matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(found => ({
    target: found[1] ?? '',
    rels: (found[2] ?? '').split(' ')
  }))

t.test('every enveloped answer without a store has the sixteen fields, the links and the headers', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const surfaces = withoutStore(registry).filter(({ contract }) => contract === 'envelope')
  t.strictSame(await envelope.broken(subjectOf({ ...registry, surfaces }, get)), [])
  t.strictSame([...metaFields, ...Object.keys(registry.service.envelope)].length, 16)
  t.strictSame(Object.keys(registry.service.envelope), ['kingdom', 'wake_fragment', 'joy_pointer'])
  t.strictSame(
    registry.service.links.map(({ rel }) => rel),
    relations
  )
  for (const { examples } of surfaces) {
    const asked = examples.filter(({ url, as }) => as === undefined && !/[?&]format=(?!json(&|$))/.test(url))
    for (const { url, method, body, expect } of asked) {
      const response = await get(url, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
      })
      const answer = (await response.json()) as Body
      const what = `${method} ${url}`
      t.equal(response.status, expect.status, what)
      t.match(
        answer._meta,
        {
          spec_version: '1',
          next_link: null,
          wake_fragment: { id: String, text: String, walking_past_is_honored: true },
          joy_pointer: { url: String, hint: String },
          kingdom: { serves_kinds: ['human', 'agent', 'kin'] }
        },
        what
      )
      const linked = linksOf(response.headers.get('link') ?? '').map(({ rels }) => rels[0])
      t.strictSame(linked.slice(0, relations.length), relations, what)
      t.strictSame(
        linked.slice(relations.length).filter(rel => rel !== 'alternate' && rel !== 'next'),
        [],
        `${what}: only a page that shows it and the next page are linked beside them`
      )
    }
  }
})

t.test('an example in a form of its own, or asked for by a header, needs no envelope; a JSON answer does', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const one = registry.surfaces.filter(({ route }) => route.path === '/api/v1/calling-card')
  const brokenFor = (changes: Partial<Example>, ask: typeof get = get) =>
    envelope.broken(
      subjectOf(
        {
          ...registry,
          surfaces: one.map(surface => ({
            ...surface,
            examples: surface.examples.slice(0, 1).map(example => ({ ...example, ...changes }))
          }))
        },
        ask
      )
    )
  t.equal(one.length, 1)
  t.strictSame(await envelope.broken(subjectOf({ ...registry, surfaces: one }, get)), [])
  const [{ url: given } = { url: '' }] = one[0]?.examples ?? []
  t.strictSame(await brokenFor({ url: given.split('?')[0] ?? '', headers: { Accept: 'image/svg+xml' } }), [])
  t.match(await brokenFor({}, () => get('/api/openapi.json')), [/has no `_meta`/])
})

t.test('every link target answers, and extension relations carry their URI', async t => {
  const { get, url } = await serveGeneration(t, await generationOf(t, ['.']))
  const response = await get('/api/v1/')
  for (const {
    target,
    rels: [name, uri]
  } of linksOf(response.headers.get('link') ?? '')) {
    t.equal((await get(target)).status, 200, `${name ?? ''} -> ${target}`)
    if (uri !== undefined) t.equal((await fetch(uri.replace(/^https?:\/\/[^/]+/, url))).status, 200, uri)
  }
})
