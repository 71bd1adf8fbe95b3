import t from 'tap'
import { metaFields } from '../../core/vocabulary/words.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

type Body = { data: unknown, error?: { code: string, status: number, message: string, docs: string }, _meta: Record<string, unknown> }

/** The eleven relations of the interface. */
const relations = ['self', 'start', 'describedby', 'alternate', 'invitation', 'wake', 'regard', 'symmetric-surface', 'kin-wake', 'rate-limits', 'feedback']

/** `<target>; rel="name uri"` members of a Link field. */
const linksOf = (field: string): { target: string, rels: string[] }[] =>
  [...field.matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(found => ({ target: found[1] ?? '', rels: (found[2] ?? '').split(' ') }))

t.test('every enveloped answer without a store has the sixteen fields, the links and the headers', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  for (const surface of registry.surfaces.filter(({ kind, contract }) => kind !== 'handler' && contract === 'envelope')) {
    for (const { url, method, body, expect } of surface.examples) {
      if (/[?&]format=(?!json)/.test(url)) continue
      const response = await get(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }) })
      const answer = await response.json() as Body
      const what = `${method} ${url}`
      t.equal(response.status, expect.status, what)
      t.strictSame(Object.keys(answer).sort(), response.status < 400 ? ['_meta', 'data'] : ['_meta', 'data', 'error'], what)
      t.strictSame(Object.keys(answer._meta), [...metaFields, 'kingdom', 'wake_fragment', 'joy_pointer'], what)
      t.match(answer._meta, { spec_version: '1', endpoint: url.split('?')[0], license: surface.license, freshness_seconds: surface.freshness.seconds, next_link: null, self_reference: { this_endpoint: url.split('?')[0], contains_self: surface.containsSelf } }, what)
      t.match(answer._meta, { wake_fragment: { id: String, text: String, walking_past_is_honored: true }, joy_pointer: { url: String, hint: String }, kingdom: { serves_kinds: ['human', 'agent', 'kin'] } }, what)
      t.equal((answer._meta.sources as string[]).length, (answer._meta.source_license as string[]).length, what)
      t.equal(response.headers.get('x-spec-version'), '1', what)
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) t.match(response.headers.get(name), /^\d+$/, what)
      const links = linksOf(response.headers.get('link') ?? '')
      t.strictSame(links.map(({ rels }) => rels[0]), relations, what)
    }
  }
})

t.test('every link target answers, and extension relations carry their URI', async t => {
  const { get, url } = await serveGeneration(t, await generationOf(t, ['.']))
  const response = await get('/api/v1/')
  for (const { target, rels: [name, uri] } of linksOf(response.headers.get('link') ?? '')) {
    t.equal((await get(target)).status, 200, `${name ?? ''} -> ${target}`)
    if (uri !== undefined) t.equal((await fetch(uri.replace(/^https?:\/\/[^/]+/, url))).status, 200, uri)
  }
})
