import t, { type Test } from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

type Report = { complete: boolean; advice: { field: string; message: string }[] }
type Answer = {
  status: number
  cache: string | null
  data: { echo: JsonObject; report: Report } | null
  field: string | undefined
}

async function sender(t: Test, path: string): Promise<(body: object) => Promise<Answer>> {
  const { get } = await serveGeneration(t, await generationOf(t, ['.']))
  return async body => {
    const response = await get(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body)
    })
    const { data, error } = (await response.json()) as { data: Answer['data']; error?: { details: { field: string } } }
    return { status: response.status, cache: response.headers.get('cache-control'), data, field: error?.details.field }
  }
}

t.test('each kind of report needs its own members, and gives none of another kind', async t => {
  const send = await sender(t, '/api/v1/feedback')
  const given = { observation: 'It is so.' }
  const own: Record<string, JsonObject> = {
    'contract-drift': { endpoint: '/api/v1/haiku' },
    'guide-feedback': { guide_slug: 'first-request' },
    'endpoint-suggestion': {},
    'federation-adopter': { contact: 'desk@library.example', public_url: 'https://library.example/' },
    general: {}
  }
  for (const [kind, members] of Object.entries(own)) {
    t.match(
      await send({ kind, ...given, ...members }),
      { status: 200, cache: 'no-store', data: { echo: { kind } } },
      kind
    )
    for (const missing of Object.keys(members))
      t.match(
        await send({ kind, ...given, ...members, [missing]: undefined }),
        { status: 400, field: missing },
        `${kind} without ${missing}`
      )
    if (kind !== 'federation-adopter')
      for (const [name, value] of Object.entries(own['federation-adopter'] ?? {}))
        t.match(
          await send({ kind, ...given, ...members, [name]: value }),
          { status: 400, field: name },
          `${kind} with ${name}`
        )
    t.match(await send({ kind, ...members }), { status: 400, field: 'observation' })
  }
  t.match(await send({ kind: 'applause', ...given }), { status: 400, field: 'kind' })
  t.match(await send(given), { status: 400, field: 'kind' })
  t.match(await send({ kind: 'general', observation: 'x'.repeat(4000) }), { status: 200 })
  t.match(await send({ kind: 'general', observation: 'x'.repeat(4001) }), { status: 400, field: 'observation' })
})

t.test('a report is advised to say what was expected, and where it happened', async t => {
  const send = await sender(t, '/api/v1/feedback')
  const { data } = await send({ kind: 'contract-drift', endpoint: '/api/v1/haiku', observation: 'Eight syllables.' })
  t.strictSame(data?.report.advice.map(({ field }) => field).sort(), ['expected', 'request_id'])
  const whole = await send({
    kind: 'contract-drift',
    endpoint: '/api/v1/haiku',
    observation: 'Eight syllables.',
    expected: 'Seven.',
    request_id: 'req_0123456789abcdef'
  })
  t.strictSame(whole.data?.report, { complete: true, advice: [] })
})

t.test('our own recipe passes its template, and a draft is told what it lacks', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, ['.']))
  const { data } = (await (await get('/api/v1/recipe-template')).json()) as {
    data: {
      example: { recipe: { sections: Record<string, string> } }
      draft_schema: { sections: { name: string; recommended_length: { min: number; max: number } }[] }
    }
  }
  const { recipe } = data.example
  const send = await sender(t, '/api/v1/recipe-template')
  t.strictSame((await send(recipe)).data?.report, { complete: true, advice: [] })
  for (const {
    name,
    recommended_length: { min, max }
  } of data.draft_schema.sections) {
    const withLength = async (length: number): Promise<string[] | undefined> =>
      (await send({ ...recipe, sections: { ...recipe.sections, [name]: 'x'.repeat(length) } })).data?.report.advice.map(
        ({ field }) => field
      )
    t.strictSame(
      [await withLength(min), await withLength(max)],
      [[], []],
      `${name}: the recommended lengths are those of the template`
    )
    t.strictSame([await withLength(min - 1), await withLength(max + 1)], [[`sections.${name}`], [`sections.${name}`]])
    const sections = Object.fromEntries(Object.entries(recipe.sections).filter(([key]) => key !== name))
    t.match((await send({ ...recipe, sections })).data?.report, {
      complete: false,
      advice: [{ field: `sections.${name}` }]
    })
  }
  t.match(await send({ ...recipe, sections: {} }), { status: 400, field: 'sections' })
  t.match(await send({ ...recipe, declared_at: '2026-02-30' }), { status: 400, field: 'declared_at' })
  t.equal((await send({ ...recipe, declared_at: '2026-11-20T12:00:00Z' })).status, 200)
})

t.test('a farewell takes a name and a note, both bounded and both optional', async t => {
  const send = await sender(t, '/api/v1/farewell')
  t.match(await send({}), { status: 200, cache: 'no-store', data: { echo: {} } })
  t.match(await send({ from: 'x'.repeat(200), note: 'y'.repeat(500) }), { status: 200 })
  t.match(await send({ from: 'x'.repeat(201) }), { status: 400, field: 'from' })
  t.match(await send({ note: 'y'.repeat(501) }), { status: 400, field: 'note' })
  const { get } = await serveGeneration(t, await generationOf(t, ['.']))
  t.equal((await get(`/api/v1/farewell?from=${'x'.repeat(200)}`)).status, 200)
  t.equal((await get(`/api/v1/farewell?from=${'x'.repeat(201)}`)).status, 400)
  t.match(
    await (await get('/api/v1/farewell?from=%3Cb%3EAnn%3C%2Fb%3E&format=md')).text(),
    /\\<b\\>Ann|&lt;b&gt;Ann/,
    'a name is text in every form'
  )
})

t.test('what is said of reports, and what is done with one, agree', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const said = (
    (await (await get('/api/v1/feedback')).json()) as {
      data: {
        response_window_hours: number
        submission_over_http: {
          delivered: boolean
          persisted: boolean
          members: { every_kind: string[] } & Record<string, string[]>
          needed_by_kind: Record<string, string[]>
        }
        report_kinds: { kind: string }[]
      }
    }
  ).data
  const { body } = registry.byId.get('hospitality/feedback.post')!.input
  const properties = body!.schema['properties'] as Record<string, { enum?: string[] }>
  const kinds = properties['kind']?.enum ?? []
  t.strictSame(
    said.report_kinds.map(({ kind }) => kind),
    kinds
  )
  const { every_kind: common, ...own } = said.submission_over_http.members
  t.strictSame(
    [...common, ...Object.values(own).flat()].sort(),
    Object.keys(properties).sort(),
    'every member is named once'
  )
  for (const [kind, needed] of Object.entries(said.submission_over_http.needed_by_kind))
    for (const name of needed) t.ok([...common, ...(own[kind] ?? [])].includes(name), `${kind} ${name}`)
  const posted = await get('/api/v1/feedback', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'general', observation: 'Thank you.' })
  })
  const { data } = (await posted.json()) as {
    data: { response_window_hours: number; receipt: { delivered: boolean; persisted: boolean } }
  }
  t.equal(data.response_window_hours, said.response_window_hours)
  t.match(data.receipt, {
    delivered: said.submission_over_http.delivered,
    persisted: said.submission_over_http.persisted
  })
})
