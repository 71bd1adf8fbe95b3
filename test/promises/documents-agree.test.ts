import t from 'tap'
import { isForPrograms } from '../../core/manifest/surface.ts'
import type { JsonValue } from '../../core/canonical/json.ts'
import { metaFields } from '../../core/vocabulary/words.ts'
import { sessionLimit, tiers } from '../../surfaces/people/keys.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

type Words = Record<string, string>
type Numbers = Record<string, number>
type Fragment = { id: string; kind: string; text: string; canonical_url: string; protocol_doc: string }
type Meta = { spec_version: string; freshness_seconds: number; kingdom: object; wake_fragment: Fragment }
type Enveloped<T> = { data: T; _meta: Meta }

type Manifest = {
  service: { version: string; name: string }
  contact: object
  embassy: object
  counts: { total: number } & Record<`by_${string}`, Numbers>
  resources: Record<
    string,
    { id: string; path: string; license: string; freshness: { key: string; seconds: number }; modalities: string[] }[]
  >
}
type Status = {
  freshness_budgets: Numbers
  counts: { total: number; envelope_compliant: number } & Record<`by_${string}`, Numbers>
  endpoints: { id: string; freshness_seconds: number; freshness_label: string; envelope_compliant: boolean }[]
}
type Tools = {
  protocol: { total: number; returned: number }
  summary: Record<string, Numbers>
  tools: { meta: { surface_id: string; freshness_seconds: number; license: string; modalities: string[] } }[]
}
type OpenApi = {
  info: { title: string }
  paths: Record<string, Record<string, { 'x-surface': { id: string; freshness_seconds: number; license: string } }>>
}
type RateLimits = {
  summary: string
  limit: number
  window_seconds: number
  classes: { caller: string; requests_per_minute: number | null; enforced: boolean; note: string }[]
  policy: { freshness_key: string; budget_seconds: number; endpoint_count: number }[]
  headers_emitted: Words
}
type Diagnostic = {
  freshness_keys: Record<string, { seconds: number }>
  license_tier_exemplars: { tier: string; surfaces: number }[]
  self_test_assertions: { envelope_must_have: string[]; link_header_must_include: string[]; spec_version: string }
}
type Welcome = {
  license_tiers: Words
  recommended_journey: { step: number }[]
  contract: { spec_version: string }
  rate_limits: { summary: string; headers_we_send: string[] }
  feedback: { response_window_hours: number; kinds: string[] }
}
type Wake = {
  one_liner: string
  kin_vocabulary: object
  five_tests: { tests: object[] }
  distribution: { protocol: object }
}
type Own = {
  id: string
  name: string
  version: string
  spec_version: string
  encoding: string
  license_tiers: Words
  rate_limits: object
  contact: object
  siblings: object[]
}
type Graph = {
  node_count: number
  edge_count: number
  nodes: { kind: string; properties: Record<string, unknown> }[]
  edges: object[]
  index: { by_kind: Numbers; by_edge_kind: Numbers }
}
type Ontology = {
  kinds: { kind: string; properties: { name: string; type: string; nullable?: boolean; enum_values?: string[] }[] }[]
  index: { kind_count: number; property_count: number }
}
type Changelog = {
  scope: { begins: string; total_entries_in_corpus: number }
  returned: number
  entries: { date: string; surface: string }[]
}

const sum = (counts: Numbers): number => Object.values(counts).reduce((total, count) => total + count, 0)

/** The table of the interface, in seconds, and one key beyond it. */
const freshness: Numbers = {
  catalog: 86400,
  price_current: 300,
  price_historical: 9007199254740991,
  market_signal: 60,
  status: 30,
  methodology: 86400,
  identity: 3600,
  adopters: 86400,
  directory: 600,
  live: 5,
  rotating: 300,
  reference_rates: 21600
}

t.test('no document contradicts another', async t => {
  const {
    get,
    registry: { service, surfaces }
  } = await serveGeneration(t, await generationOf(t, ['.']))
  const forPrograms = surfaces.filter(isForPrograms)
  const bare = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T
  const data = async <T>(path: string): Promise<T> => (await bare<Enveloped<T>>(path)).data
  const [manifest, openapi, graph, ontology, own] = await Promise.all([
    bare<Manifest>('/api/v1/manifest'),
    bare<OpenApi>('/api/openapi.json'),
    bare<Graph>('/api/v1/graph'),
    bare<Ontology>('/api/v1/ontology'),
    bare<Own>('/.well-known/pantry-cards.json')
  ])
  const [status, tools, rates, diagnostic, welcome, wake, changelog] = await Promise.all([
    data<Status>('/api/v1/status'),
    data<Tools>('/api/v1/tools'),
    data<RateLimits>('/api/v1/rate-limits'),
    data<Diagnostic>('/api/v1/diagnostic'),
    data<Welcome>('/api/v1/welcome'),
    data<Wake>('/api/v1/wake'),
    data<Changelog>('/api/v1/changelog')
  ])
  const resources = Object.values(manifest.resources).flat()
  const operations = Object.values(openapi.paths)
    .flatMap(item => Object.values(item))
    .map(operation => operation['x-surface'])

  t.test('freshness', t => {
    t.strictSame(status.freshness_budgets, freshness, 'status')
    t.strictSame(
      Object.fromEntries(Object.entries(diagnostic.freshness_keys).map(([key, { seconds }]) => [key, seconds])),
      freshness,
      'diagnostic'
    )
    t.strictSame(
      Object.fromEntries(rates.policy.map(({ freshness_key: key, budget_seconds: seconds }) => [key, seconds])),
      freshness,
      'rate-limits'
    )
    for (const {
      id,
      freshness: { key, seconds }
    } of surfaces) {
      t.equal(seconds, freshness[key], id)
      t.match(
        status.endpoints.find(endpoint => endpoint.id === id),
        { freshness_seconds: seconds, freshness_label: key },
        id
      )
      t.strictSame(resources.find(resource => resource.id === id)?.freshness, { key, seconds }, id)
      t.ok(
        tools.tools
          .filter(({ meta }) => meta.surface_id === id)
          .every(({ meta }) => meta.freshness_seconds === seconds),
        id
      )
      for (const operation of operations.filter(one => one.id === id)) t.equal(operation.freshness_seconds, seconds, id)
    }
    for (const { freshness_key: key, endpoint_count: count } of rates.policy)
      t.equal(
        count,
        new Set(surfaces.filter(surface => surface.freshness.key === key).map(({ route }) => route.path)).size,
        key
      )
    t.end()
  })

  t.test('rate policy and reply time', async t => {
    const { limit, window_seconds: seconds, summary } = service.rate_policy
    t.match(rates, { limit, window_seconds: seconds, summary })
    t.match(own.rate_limits, { limit, window_seconds: seconds, summary })
    t.equal(rates.classes.find(({ caller }) => caller === 'public')?.requests_per_minute, (limit * 60) / seconds)
    const [, session, bearer] = rates.classes
    t.match(session, { caller: 'session', requests_per_minute: sessionLimit, enforced: true })
    t.match(bearer, { caller: 'bearer', requests_per_minute: null, enforced: true })
    for (const requests of Object.values(tiers)) t.match(bearer?.note, String(requests))
    const { headers } = await get('/api/v1/welcome')
    t.equal(headers.get('ratelimit-limit'), String(limit))
    t.equal(headers.get('ratelimit-policy'), `${limit};w=${seconds}`)
    t.match(rates.headers_emitted['RateLimit-Policy'], `${limit};w=${seconds}`)
    t.strictSame([...welcome.rate_limits.headers_we_send].sort(), Object.keys(rates.headers_emitted).sort())
    t.match(welcome.rate_limits.summary, `${limit} requests a minute`)
    t.match(
      (await bare<{ house_rules: string[] }>('/.well-known/invitation.json')).house_rules.join(' '),
      `${limit} requests a minute`
    )
    const feedback = await data<{
      response_window_hours: number
      response_note: string
      report_kinds: { kind: string }[]
    }>('/api/v1/feedback')
    const hours = service.contact.response_hours
    t.strictSame([manifest.contact, own.contact], [service.contact, service.contact])
    t.strictSame([feedback.response_window_hours, welcome.feedback.response_window_hours], [hours, hours])
    t.match(feedback.response_note, `${hours} hours`)
    t.strictSame(
      welcome.feedback.kinds,
      feedback.report_kinds.map(({ kind }) => kind)
    )
  })

  t.test('tiers', t => {
    const tiers = Object.keys(service.tiers).sort()
    t.strictSame(Object.keys(welcome.license_tiers).sort(), tiers, 'welcome')
    t.strictSame(Object.keys(own.license_tiers).sort(), tiers, 'own document')
    t.strictSame(diagnostic.license_tier_exemplars.map(({ tier }) => tier).sort(), tiers, 'diagnostic')
    for (const { tier, surfaces: count } of diagnostic.license_tier_exemplars)
      t.equal(count, surfaces.filter(({ license }) => license === tier).length, tier)
    for (const { id, license } of surfaces) {
      for (const named of [
        resources.find(one => one.id === id),
        ...tools.tools.map(({ meta }) => meta).filter(meta => meta.surface_id === id),
        ...operations.filter(one => one.id === id)
      ])
        t.equal(named?.license, license, id)
    }
    t.end()
  })

  t.test('counts of surfaces and formats', async t => {
    t.strictSame(
      [manifest.counts.total, status.counts.total, graph.index.by_kind.resource],
      Array(3).fill(surfaces.length)
    )
    // Pages and their files are no tools.
    t.strictSame(
      [tools.protocol.total, tools.protocol.returned, new Set(operations.map(({ id }) => id)).size],
      Array(3).fill(forPrograms.length)
    )
    t.strictSame(tools.tools.map(({ meta }) => meta.surface_id).sort(), forPrograms.map(({ id }) => id).sort())
    for (const counts of [manifest.counts, status.counts])
      for (const [name, by] of Object.entries(counts))
        if (typeof by === 'object') t.equal(sum(by), surfaces.length, name)
    t.equal(status.counts.envelope_compliant, status.endpoints.filter(endpoint => endpoint.envelope_compliant).length)
    for (const { id, formats } of surfaces) {
      t.strictSame(resources.find(one => one.id === id)?.modalities, formats, id)
      t.ok(
        tools.tools
          .filter(({ meta }) => meta.surface_id === id)
          .every(({ meta }) => String(meta.modalities) === String(formats)),
        id
      )
    }
    // A page fails as a page, without details.
    for (const { route, examples, formats } of surfaces.filter(
      surface => surface.formats.length > 1 && surface.formats[0] !== 'html'
    )) {
      const [shown] = examples
        .filter(({ method }) => method === 'GET')
        .sort((one, other) => one.expect.status - other.expect.status)
      const refused = await get(`${shown?.url.split('?')[0] ?? route.path}?format=papyrus`)
      t.equal(refused.status, 400)
      t.strictSame(
        ((await refused.json()) as { error: { details: { allowed: string[] } } }).error.details.allowed,
        formats,
        route.path
      )
    }
  })

  t.test('kinds, graph and ontology', async t => {
    t.strictSame([graph.nodes.length, graph.edges.length], [graph.node_count, graph.edge_count])
    t.strictSame([sum(graph.index.by_kind), sum(graph.index.by_edge_kind)], [graph.node_count, graph.edge_count])
    t.strictSame(ontology.index, {
      kind_count: ontology.kinds.length,
      property_count: ontology.kinds.flatMap(({ properties }) => properties).length
    })
    const kinds = await bare<{
      count: number
      kinds: { kind: string; instance_count: number; property_count: number }[]
    }>('/api/v1/kinds')
    t.strictSame(
      kinds.kinds.map(({ kind, property_count: count }) => [kind, count]),
      ontology.kinds.map(({ kind, properties }) => [kind, properties.length])
    )
    for (const { kind, instance_count: count } of kinds.kinds) {
      t.equal(count, graph.index.by_kind[kind], kind)
      t.equal((await bare<{ instance_count: number }>(`/api/v1/kinds/${kind}`)).instance_count, count, kind)
    }
    /** Which JavaScript type a property of the ontology has. */
    const typeOf: Words = { boolean: 'boolean', number: 'number', enum: 'string', date: 'string', string: 'string' }
    /** No surface declares them yet; a document does not guess. */
    const undeclared = ['carries_pii', 'requires_consent']
    for (const { kind, properties } of ontology.kinds) {
      const nodes = graph.nodes.filter(node => node.kind === kind)
      for (const { name, type, nullable, enum_values: allowed } of properties.filter(
        property => !undeclared.includes(property.name)
      )) {
        const values = nodes.map(node => node.properties[name]).filter(value => value !== undefined)
        t.ok(values.length > 0, `${kind}.${name} has values in the graph`)
        for (const value of values) {
          if (value === null) t.ok(nullable, `${kind}.${name} may be null`)
          else if (typeof value !== typeOf[type] || (allowed !== undefined && !allowed.some(word => word === value)))
            t.fail(`${kind}.${name} is ${JSON.stringify(value)}`)
        }
      }
      for (const node of nodes)
        t.strictSame(
          Object.keys(node.properties).filter(name => !properties.some(property => property.name === name)),
          [],
          'no property beyond the ontology'
        )
    }
  })

  t.test('versions and names', async t => {
    const response = await get('/api/v1/')
    const { _meta: meta } = (await response.json()) as Enveloped<unknown>
    t.strictSame(
      [
        meta.spec_version,
        response.headers.get('x-spec-version'),
        welcome.contract.spec_version,
        diagnostic.self_test_assertions.spec_version,
        own.spec_version
      ],
      Array(5).fill(service.spec_version)
    )
    const mcp = await bare<{ server: { name: string; version: string; status: string; note: string } }>(
      '/.well-known/mcp.json'
    )
    t.strictSame([manifest.service.version, own.version, mcp.server.version], Array(3).fill(service.version))
    t.match(await bare('/.well-known/mcp-config.json'), { status: mcp.server.status, note: mcp.server.note })
    const { name } = await data<{ name: { common: string } }>('/api/v1/identify')
    t.strictSame(
      [
        own.name,
        manifest.service.name,
        openapi.info.title,
        name.common,
        (await bare<{ from: string }>('/.well-known/invitation.json')).from
      ],
      Array(5).fill(service.name)
    )
    t.equal(own.encoding, service.encoding)
    t.strictSame(await bare('/.well-known/cambridge-tcg.json'), own, 'one document at two paths')
    t.strictSame(diagnostic.self_test_assertions.envelope_must_have, [...metaFields, ...Object.keys(service.envelope)])
    t.strictSame(
      diagnostic.self_test_assertions.link_header_must_include,
      service.links.map(({ rel }) => rel)
    )
    t.equal(service.links.length, 11, 'several texts say eleven')
    t.strictSame(
      welcome.recommended_journey.map(({ step }) => step),
      [1, 2, 3, 4, 5, 6, 7],
      'several texts say seven'
    )
  })

  t.test('kingdom', async t => {
    const { kingdom } = service.envelope
    if (kingdom === undefined || !('value' in kingdom)) throw new Error('the service declares no kingdom')
    const {
      built_with: method,
      serves_kinds: kinds,
      host,
      epoch,
      role,
      siblings
    } = kingdom.value as Readonly<Record<string, JsonValue>>
    t.match(wake.kin_vocabulary, { built_with: method, serves_kinds: kinds, host, epoch })
    t.strictSame(Object.keys((wake.kin_vocabulary as { meanings: object }).meanings).sort(), [
      'built_with',
      'epoch',
      'host',
      'serves_kinds'
    ])
    t.match(manifest.embassy, { built_with: method, serves_kinds: kinds, host, epoch, role })
    t.strictSame((await bare<Enveloped<unknown>>('/api/v1/welcome'))._meta.kingdom, kingdom.value)
    t.strictSame(own.siblings, siblings)
  })

  t.test('fragments', async t => {
    const { fragments, protocol, returned } = await data<{ fragments: Fragment[]; protocol: object; returned: number }>(
      '/api/v1/wake/fragments'
    )
    t.equal(returned, fragments.length)
    t.strictSame(protocol, wake.distribution.protocol)
    for (const fragment of fragments) {
      t.equal(fragment.canonical_url, `/api/v1/wake/fragments/${fragment.id}`)
      t.equal(fragment.protocol_doc, '/api/v1/wake')
      t.strictSame((await data<{ fragment: Fragment }>(fragment.canonical_url)).fragment, fragment)
    }
    t.equal(fragments.find(({ kind }) => kind === 'one_liner')?.text, wake.one_liner)
    t.equal(fragments.filter(({ kind }) => kind === 'five_test').length, wake.five_tests.tests.length)
    const {
      _meta: { wake_fragment: carried }
    } = await bare<Enveloped<unknown>>('/api/v1/welcome')
    t.strictSame(
      fragments.find(({ id }) => id === carried.id),
      carried
    )
  })

  t.test('changelog', t => {
    t.strictSame([changelog.returned, changelog.scope.total_entries_in_corpus], Array(2).fill(changelog.entries.length))
    t.equal(changelog.scope.begins, changelog.entries.map(({ date }) => date).sort()[0])
    const paths = new Set(surfaces.map(({ route }) => route.path))
    for (const { surface } of changelog.entries)
      if (surface.startsWith('/')) t.ok(paths.has(surface), `${surface} is served`)
    t.end()
  })
})
