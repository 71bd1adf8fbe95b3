import t from 'tap'
import { isOpen } from '../../core/access/index.ts'
import { toolsOf } from '../../core/discovery/tool-catalogue.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

const post = (name: string, body: string): Promise<Response> =>
  get(`/explore/${name}`, {
    method: 'POST',
    body: new URLSearchParams({ body }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' }
  })

const posts = toolsOf(registry).filter(
  ({ surface: { route, access, input } }) =>
    route.methods.includes('POST') && isOpen(access) && input.body !== undefined
)
const [tried, copied] = [
  posts.filter(({ surface }) => surface.provenance === 'computed'),
  posts.filter(({ surface }) => surface.provenance !== 'computed')
]

t.ok(tried.length > 8 && copied.length > 0, 'there are surfaces of both sorts')

t.test('what computes from what is sent runs in the explorer, and answers as it answers anyone', async t => {
  for (const { name, surface } of tried) {
    for (const { body, expect } of surface.examples.filter(
      example =>
        example.body !== undefined && Object.keys(example.headers).length === 0 && example.query.format === undefined
    )) {
      const response = await post(name, JSON.stringify(body))
      t.equal(response.status, expect.status, `${name}: ${JSON.stringify(body).slice(0, 80)}`)
      t.match(await response.text(), `<code>POST ${surface.route.path}</code>`)
    }
  }
})

t.test('the form begins with an example that works', async t => {
  for (const { name } of tried) {
    const { request } = (await (await get(`/api/v1/explorer/${name}`)).json()) as { request: { body: string } }
    t.ok((await post(name, request.body)).status < 400, `${name}: ${request.body.slice(0, 80)}`)
  }
})

t.test('areas are folded, those that the service puts first before the others, and a search unfolds them', async t => {
  const areasOf = async (path: string): Promise<readonly string[]> =>
    (await (await get(path)).text()).match(/<details[^>]*data-area[^>]*>(?=<summary><h2 id="[\w-]+")/g) ?? []
  const { areas } = (await (await get('/api/v1/explorer')).json()) as { areas: readonly { area: string }[] }
  const folded = await areasOf('/explore')
  t.equal(folded.length, areas.length)
  t.notOk(folded.some(tag => / open/.test(tag)))
  t.ok((await areasOf('/explore?q=search')).every(tag => / open/.test(tag)))
  const first = registry.service.index.flatMap(group => group.surfaces).map(id => registry.byId.get(id)?.tags[0])
  t.same(
    areas.slice(0, new Set(first).size).map(({ area }) => area),
    [...new Set(first)]
  )
})

t.test('a body that is no JSON is a refusal on the page, with what was typed', async t => {
  const [one] = tried
  const response = await post(one?.name ?? '', '{"<i>": ')
  t.equal(response.status, 400)
  const text = await response.text()
  t.match(text, 'The body is no JSON')
  t.match(text, /<textarea[^>]*>\n?\{(?:"|&quot;)&lt;i(?:>|&gt;)/)
})

t.test('a served answer does not tell how it was made', async t => {
  const text = await (await get('/explore/get_example?run=yes&p0=get_manifest')).text()
  t.match(text, '<strong>Status 200</strong>')
  t.notMatch(text, /Stages|core\/plan|\.yaml:\d/)
})

t.test('what keeps something, or reads the catalogue, is not run', async t => {
  for (const { name, surface } of copied) {
    const response = await post(name, '{}')
    t.equal(response.status, 404, surface.id)
    t.match(await response.text(), 'This page runs only what reads')
  }
})
