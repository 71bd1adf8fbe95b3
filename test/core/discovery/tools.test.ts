import t from 'tap'
import type { SurfaceError } from '../../../core/handler/errors.ts'
import { isForPrograms } from '../../../core/manifest/surface.ts'
import { argumentsOf, toolsOf } from '../../../core/discovery/tool-catalogue.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { build, registry, registryOf } from './fixture.ts'

type Tools = Readonly<{
  protocol: { total: number; returned: number }
  tools: {
    name: string
    description: string
    methods: string[]
    url_template: string
    parameters: { name: string; in: string; required: boolean }[]
    examples: { title: string; arguments: object; status: number }[]
    meta: { surface_id: string; publication_paused: boolean }
  }[]
}>

const catalogue = (query: Record<string, string | number> = {}): Tools =>
  build('tools', { request: { query } }) as Tools
const tool = (name: string) => catalogue({ names: name }).tools[0]!

t.test('every surface is one tool', t => {
  t.same(
    catalogue()
      .tools.map(one => one.meta.surface_id)
      .sort(),
    registry.surfaces
      .filter(isForPrograms)
      .map(one => one.id)
      .sort()
  )
  t.end()
})

t.test('path, query and body parameters are listed', t => {
  t.same(
    tool('get_harbour').parameters.map(one => [one.name, one.in, one.required]),
    [['slug', 'path', true]]
  )
  t.same(
    tool('get_harbours').parameters.map(one => [one.name, one.in, one.required]),
    [
      ['kind', 'query', false],
      ['limit', 'query', false]
    ]
  )
  t.same(
    tool('post_seen').parameters.map(one => [one.name, one.in, one.required]),
    [['body', 'body', true]]
  )
  t.equal(tool('get_harbour').url_template, 'https://tides.example.org/api/v1/harbours/{slug}')
  t.end()
})

t.test('a surface of several methods takes the method as an argument', t => {
  t.match(tool('get_mirror'), {
    methods: ['GET', 'POST', 'DELETE'],
    parameters: [{ name: 'method', in: 'method', required: false }]
  })
  t.end()
})

t.test('a description says when not to use the tool and stays short', t => {
  t.match(tool('get_history').description, /Paused/)
  t.equal(tool('get_history').meta.publication_paused, true)
  t.match(tool('get_keys').description, /for a person who is signed in/)
  t.ok(catalogue().tools.every(one => one.description.length <= 1000))
  t.end()
})

t.test('tags, names and limit narrow the list together', t => {
  t.same(
    catalogue({ tags: 'play' }).tools.map(one => one.name),
    ['get_mirror']
  )
  t.equal(catalogue({ tags: 'play,discovery' }).tools.length, 30)
  t.equal(catalogue({ tags: 'water', names: 'get_mirror, get_health' }).tools.length, 1)
  t.match(catalogue({ tags: 'water', limit: 2 }), {
    protocol: { returned: 2, total: registry.surfaces.filter(isForPrograms).length }
  })
  t.end()
})

t.test('a search finds the tools that hold every word, the best first', t => {
  t.equal(catalogue({ q: 'harbour' }).tools[0]?.name.includes('harbour'), true)
  t.same(
    catalogue({ q: 'Harbour, history' }).tools.map(one => one.name),
    ['get_history']
  )
  t.same(catalogue({ q: 'no such word' }).tools, [])
  t.equal(catalogue({ q: 'harbour', tags: 'water', limit: 1 }).tools.length, 1)
  t.end()
})

t.test('the catalogue of a registry is made once', t => {
  t.equal(toolsOf(registry), toolsOf(registry))
  t.not(toolsOf(registry), toolsOf(registryOf(registry.surfaces)), 'another registry has its own')
  t.end()
})

t.test(
  'the core profile has what its manifests mark, in few words, and comes first in the catalogue; what is paused comes last',
  t => {
    const core = registryOf(
      registry.surfaces.map(one =>
        one.id === 'seen.post' || one.id === 'mirror' ? { ...one, agent: 'core' as const } : one
      )
    )
    const names = (query: Record<string, string>): string[] =>
      (build('tools', { registry: core, request: { query } }) as Tools).tools.map(one => one.name)
    t.same(names({ profile: 'core' }).sort(), ['get_mirror', 'post_seen'])
    t.same(names({}).slice(0, 2).sort(), ['get_mirror', 'post_seen'])
    t.same(names({}).slice(2, 5), ['get_root', 'get_manifest', 'get_harbours'], 'then the groups of the service')
    t.equal(names({}).at(-1), 'get_history')
    t.equal(
      (build('tools', { registry: core, request: { query: { profile: 'core', names: 'get_mirror' } } }) as Tools)
        .tools[0]?.description,
      'What mirror answers.'
    )
    t.end()
  }
)

t.test('the core profile leaves no required argument out', t => {
  const schema = { type: 'string' }
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const query = { type: 'object', properties: Object.fromEntries(names.map(name => [name, schema])), required: ['h'] }
  const core = registryOf(
    registry.surfaces.map(one =>
      one.id === 'mirror' ? { ...one, agent: 'core' as const, input: { ...one.input, query } } : one
    )
  )
  const [tool] = (build('tools', { registry: core, request: { query: { profile: 'core' } } }) as Tools).tools
  const kept = tool?.parameters.map(({ name }) => name) ?? []
  t.equal(kept.length, 6)
  t.ok(kept.includes('h'))
  t.end()
})

t.test('the arguments of every example fit the tool', t => {
  for (const entry of toolsOf(registry)) {
    const { examples } = catalogue({ names: entry.name }).tools[0]!
    t.ok(examples.length > 0, entry.name)
    for (const example of examples) t.same(compileSchema(argumentsOf(entry))(example.arguments), [], entry.name)
  }
  t.same(tool('get_harbour').examples, [{ title: 'Ask for harbour', arguments: { slug: 'x' }, status: 200 }])
  t.end()
})

t.test('an unknown tag or name is refused with the known ones', t => {
  const failure = (query: Record<string, string>): SurfaceError | undefined => {
    try {
      catalogue(query)
    } catch (error) {
      return error as SurfaceError
    }
    return undefined
  }
  t.match(failure({ tags: 'fish' }), {
    status: 400,
    details: { field: 'tags', allowed: ['discovery', 'play', 'water'] }
  })
  t.match(failure({ names: 'get_nothing' }), { status: 400, details: { field: 'names' } })
  t.end()
})
