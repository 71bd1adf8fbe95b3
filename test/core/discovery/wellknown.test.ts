import t from 'tap'
import { build, registry, registryOf, service, surface } from './fixture.ts'

t.test('the plugin document keeps to the lengths of its format', t => {
  const plugin = build('ai-plugin') as { name_for_human: string; name_for_model: string; description_for_human: string }
  t.ok(plugin.name_for_human.length <= 20 && plugin.description_for_human.length <= 100)
  t.match(plugin.name_for_model, /^[a-zA-Z][a-zA-Z0-9_]*$/)
  t.end()
})

t.test('the search of the menu is described as browsers read it', t => {
  const text = String(
    build('opensearch', { registry: { ...registry, service: { ...service, name: 'Tides <& more than that>' } } })
  )
  t.match(text, '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">')
  t.match(text, '<ShortName>Tides &lt;&amp; more th</ShortName>')
  t.match(text, '<Url type="text/html" template="https://tides.example.org/api/v1/opensearch?q={searchTerms}"/>')
  t.throws(() => build('opensearch', { registry: registryOf([surface('a', '/a')]) }), /the search of the menu/)
  t.end()
})

t.test('no endpoint is announced where there is none', t => {
  t.match(build('mcp'), { server: { endpoint: null, transport: null, status: 'planned' } })
  t.same((build('mcp-config') as { mcpServers: object }).mcpServers, {})
  t.end()
})

t.test('an endpoint is announced with its address', t => {
  const served = {
    ...registry,
    service: {
      ...service,
      agents: { ...service.agents, mcp: { endpoint: '/api/mcp', status: 'available' as const, note: 'Yes.' } }
    }
  }
  t.match(build('mcp', { registry: served }), {
    server: { endpoint: 'https://tides.example.org/api/mcp', transport: 'streamable-http' }
  })
  t.match(build('mcp-config', { registry: served }), {
    mcpServers: {
      'tide-tables': {
        url: 'https://tides.example.org/api/mcp',
        headers: { Authorization: 'Bearer ${TIDE_TABLES_KEY}' }
      }
    }
  })
  t.end()
})

t.test('a document that is not served is not pointed to', t => {
  const small = registryOf([surface('a', '/a')])
  t.match(build('mcp', { registry: small }), { without_a_key: { tool_catalog_url: null, openapi_url: null } })
  t.match(build('ai-plugin', { registry: small }), { api: { url: null }, legal_info_url: null })
  t.same((build('service', { registry: small }) as { documents: object }).documents, {})
  t.end()
})

t.test('a relation says where it leads; an unknown one is refused with the known ones', t => {
  t.match(build('relation', { request: { params: { rel: 'feedback' } } }), {
    uri: 'https://tides.example.org/rels/feedback',
    target: '/api/v1/harbours?kind=port',
    registered: false
  })
  t.match(build('relation', { request: { params: { rel: 'self' } } }), {
    target: null,
    target_is_the_answered_path: true
  })
  t.throws(() => build('relation', { request: { params: { rel: 'x' } } }), {
    status: 404,
    details: { known_relations: ['self', 'start', 'feedback'] }
  } as unknown as Error)
  t.end()
})
