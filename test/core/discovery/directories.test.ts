import t from 'tap'
import { commandLine } from '../../../core/discovery/calls.ts'
import { isForPrograms } from '../../../core/manifest/surface.ts'
import { errorCodesOf } from '../../../core/manifest/service-defaults.ts'
import { metaFields } from '../../../core/vocabulary/words.ts'
import { build, registry, registryOf, service, surface } from './fixture.ts'

const ids = registry.surfaces.map(surface => surface.id).sort()

t.test('the manifest lists every surface once, under its first tag', t => {
  const { resources, counts } = build('manifest') as {
    resources: Record<string, { id: string; tags: string[] }[]>
    counts: { total: number }
  }
  t.same(
    Object.values(resources)
      .flat()
      .map(resource => resource.id)
      .sort(),
    ids
  )
  for (const [group, members] of Object.entries(resources)) for (const member of members) t.equal(member.tags[0], group)
  t.equal(counts.total, ids.length)
  t.end()
})

t.test('a surface points to the text that explains its method, and to nothing without one', t => {
  const { resources } = build('manifest') as {
    resources: Record<string, { id: string; methodology_url: string | null }[]>
  }
  const urlOf = (id: string) => resources.water!.find(resource => resource.id === id)?.methodology_url
  t.equal(urlOf('harbour'), '/api/v1/harbours')
  t.equal(urlOf('harbours'), null)
  t.end()
})

t.test('the root has a member for each group of the service', t => {
  t.match(build('root'), {
    start_here: '/api/v1/',
    orientation_surfaces: { manifest: { url: '/api/v1/manifest' } },
    water: { harbours: { url: '/api/v1/harbours' } }
  })
  t.end()
})

t.test('members of a group are named after their paths; a name that is empty or taken gives way to the id', t => {
  const surfaces = [
    surface('hall/welcome', '/api/v1/welcome'),
    surface('hall/note', '/api/v1/hall-notes/{id}'),
    surface('hall/note.post', '/api/v1/hall-notes'),
    surface('hall/card', '/.well-known/card.json'),
    surface('top', '/api/v1/')
  ]
  const grouped = registryOf(surfaces, {
    service: { ...service, index: [{ group: 'hall', title: 'Hall', surfaces: surfaces.map(({ id }) => id) }] }
  })
  t.same(Object.keys((build('root', { registry: grouped }) as { hall: object }).hall), [
    'welcome',
    'hall_notes',
    'hall/note.post',
    'card',
    'top'
  ])
  t.end()
})

t.test('examples name every surface that has one, and each is found by its name', t => {
  const { examples } = build('examples') as { examples: { endpoint_id: string; surface: string; url: string }[] }
  t.same(
    examples.map(example => example.surface).sort(),
    registry.surfaces
      .filter(isForPrograms)
      .map(({ id }) => id)
      .sort()
  )
  for (const { endpoint_id: id, surface } of examples)
    t.equal((build('example', { request: { params: { endpoint_id: id } } }) as { surface: string }).surface, surface)
  t.throws(() => build('example', { request: { params: { endpoint_id: 'x' } } }), { status: 404 } as unknown as Error)
  t.end()
})

t.test('a command line quotes what a shell would read', t => {
  const [example] = registry.byId.get('seen.post')!.examples
  t.equal(
    commandLine('https://a.example', example!),
    `curl -sS -X POST -H 'Content-Type: application/json' --data-raw '{"seen":"the harbour'\\''s light"}' 'https://a.example/api/v1/seen'`
  )
  t.end()
})

t.test('the diagnostic lists every error code and every field of the envelope', t => {
  const document = build('diagnostic') as {
    error_codes: { code: string }[]
    self_test_assertions: { envelope_must_have: string[] }
    known_good: { _meta: object }
  }
  t.same(
    document.error_codes.map(error => error.code),
    Object.keys(errorCodesOf(service))
  )
  t.same(document.self_test_assertions.envelope_must_have, [...metaFields, 'keeper'])
  t.same(Object.keys(document.known_good._meta), [...metaFields, 'keeper'])
  t.end()
})

t.test('the rate policy covers every freshness key and never asks for more than the window', t => {
  const { policy } = build('rate-limits') as {
    policy: { freshness_key: string; recommended_poll_seconds: number; endpoint_count: number }[]
  }
  t.match(policy, [
    { freshness_key: 'live', recommended_poll_seconds: 60, endpoint_count: 0 },
    { freshness_key: 'catalog', recommended_poll_seconds: 86400 }
  ])
  t.end()
})
