// test: slow.
import t from 'tap'
import { spawnSync } from 'node:child_process'
import { contradictions, jsonIn, tryClaims, type ClaimAnswer, type Values } from '../../bin/promises/claims.ts'
import { isObject, type JsonObject } from '../../core/canonical/json.ts'
import { personLimit, tiers } from '../../surfaces/people/keys.ts'
import { packageFolder } from '../../bin/roots.ts'
import type { Claim } from '../../core/manifest/claim.ts'
import { changedAnswers } from '../../core/registry/claim-changes.ts'
import { readClaims, textsIn } from '../../core/registry/claims.ts'
import { registryOf } from '../support/registry.ts'
import { serveAsked } from '../support/serve-asked.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { gapClaims } from '../support/gap-claims.ts'

const { registry } = await registryOf()
const lacking = ['curl', 'openssl', 'python3'].filter(name => spawnSync(name, ['--version']).error !== undefined)
const withoutPrograms = lacking.length > 0 && `no ${lacking.join(' and no ')}`
const documentOf = (id: string): JsonObject => {
  const value = registry.documents.get(id)?.value
  return isObject(value) ? value : {}
}

/** What does not contradict a claim although one thing is another. */
const unnoticed = (claim: Claim, { status, text }: ClaimAnswer, values: Values): readonly string[] =>
  [...changedAnswers(claim, status, jsonIn(text))]
    .filter(
      ({ status, json }) =>
        [...contradictions(claim, { status, text: json === undefined ? '' : JSON.stringify(json) }, values)].length ===
        0
    )
    .map(({ what }) => what)

for (const configuration of ['fresh', 'seeded', 'full'] as const)
  t.test(`what the service says of itself is so: ${configuration}`, { skip: withoutPrograms }, async t => {
    const asked = await serveAsked(t, configuration)
    for (const text of [...asked.texts, ...gapClaims(asked.registry)])
      await t.test(text.id, async t => {
        const { broken, untried } = await tryClaims(text, asked.asks, (claim, answer, values) => {
          t.same(unnoticed(claim, answer, values), [], 'each smallest change of the answer is found')
        })
        t.strictSame(
          broken.map(({ message }) => message),
          []
        )
        t.equal(untried, 0)
      })
  })

t.test('what is counted in headers is sent', async t => {
  const asked = await serveGeneration(t, await generationOf(t, ['.']))
  const sent = (await asked.get('/api/v1/welcome')).headers
  t.match(
    [registry.service, documentOf('welcome')].map(text => JSON.stringify(text)),
    [/a Link header with eleven relations/, /Eleven relations in the Link header/]
  )
  t.equal(sent.get('link')?.match(/; rel="/g)?.length, 11)
  const { headers_we_send: promised } = documentOf('welcome')['rate_limits'] as { headers_we_send: readonly string[] }
  t.same(
    promised.filter(name => !sent.has(name)),
    [],
    'the headers of the pace are sent'
  )
})

t.test('a guest who has a part here is a source with a day of arrival, or claims show the way in', t => {
  const claimed = new Set(readClaims(registry, [{ folder: packageFolder }]).texts.map(({ id }) => id))
  for (const { id, kind, status, arrived_at: day } of registry.corpora.get('welcomes')?.entries ?? []) {
    const shown = claimed.has(`corpora/welcomes/${id as string}`)
    if (status === 'arrived') t.ok(kind === 'infrastructure' || day !== null || shown, id as string)
    else t.notOk(day !== null || shown, id as string)
  }
  t.end()
})

t.test('every text that counts vendor forms counts those of its surface', t => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const formsOf = (id: string): readonly string[] => registry.byId.get(id)?.formats ?? []
  const ofTools = formsOf('tools').filter(name => name !== 'json')
  const ofWake = formsOf('wake').filter(name => ofTools.includes(name))
  const texts = [
    ['service', registry.service] as const,
    ...registry.surfaces.map(({ id, summary, description }) => [id, { summary, description }] as const),
    ...[...registry.documents].map(([name, { value }]) => [`documents/${name}`, value] as const),
    ...[...registry.corpora.values()]
      .filter(({ name }) => name !== 'changelog')
      .flatMap(({ name, entries }) => entries.map(entry => [name, entry] as const))
  ]
  const found = texts.flatMap(([id, value]) =>
    textsIn(value).flatMap(text =>
      [...text.matchAll(/(\w+)( model)? vendors?\b( forms)?/g)].map(([said, count = '']) => ({ id, said, count }))
    )
  )
  const counted = found.filter(({ count }) => words.includes(count))
  for (const { id, said, count } of counted)
    t.ok(
      said.endsWith(' vendor forms') && words.indexOf(count) + 1 === (id === 'wake' ? ofWake : ofTools).length,
      `${id}: ${said}`
    )
  t.ok(counted.length >= 5)
  t.end()
})

t.test('what the documents count is as many', t => {
  const {
    guides,
    feedback,
    license_tiers: tiersShown,
    rate_limits: pace
  } = documentOf('welcome') as unknown as {
    guides: { count: number; start_with: string }
    feedback: { kinds: readonly string[]; response_window_hours: number }
    license_tiers: JsonObject
    rate_limits: { summary: string }
  }
  const slugs = (registry.corpora.get('guides')?.entries ?? []).map(({ slug }) => slug as string)
  t.equal(guides.count, slugs.length)
  t.equal(guides.start_with, `/api/v1/guides/${slugs[0] ?? ''}`)
  const kinds = (documentOf('feedback')['report_kinds'] as readonly { kind: string }[]).map(({ kind }) => kind)
  t.same(feedback.kinds, kinds)
  t.equal(feedback.response_window_hours, registry.service.contact.response_hours)
  t.same(Object.keys(tiersShown).sort(), Object.keys(registry.service.tiers).sort())
  t.same(
    registry.surfaces.filter(({ license }) => license === 'partner-redistributable').map(({ id }) => id),
    [],
    'no surface uses the tier of partners'
  )
  t.match(pace.summary, `${registry.service.rate_policy.limit} requests a minute`)

  const introduction = documentOf('introduction') as unknown as {
    what_is_a_tcg: { concepts: readonly JsonObject[] }
    cultural_origin: { rhythms: readonly JsonObject[] }
    engagement_doors: readonly JsonObject[]
    what_we_do_not_yet_offer: readonly JsonObject[]
  }
  t.match(
    registry.surfaces.find(({ id }) => id === 'hospitality/introduction')?.description,
    'Eleven concepts, six rhythms, seven doors, the catalogue of structural documents and five gaps.'
  )
  t.same(
    [
      introduction.what_is_a_tcg.concepts,
      introduction.cultural_origin.rhythms,
      introduction.engagement_doors,
      introduction.what_we_do_not_yet_offer
    ].map(({ length }) => length),
    [11, 6, 7, 5]
  )
  t.end()
})

t.test('the limits that the policy states are those that are enforced', t => {
  const classOf = (name: string) => registry.service.rate_policy.classes.find(({ caller }) => caller === name)
  t.equal(classOf('person')?.requests_per_minute, personLimit)
  t.match(
    classOf('bearer')?.note,
    Object.values(tiers)
      .join(', ')
      .replace(/, (\d+)$/, ' or $1')
  )
  t.end()
})
