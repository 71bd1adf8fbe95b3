import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Statement } from '../../../core/database/pool.ts'
import { testDatabase } from '../../support/database.ts'
import { migrateRoot } from '../../support/migrate-root.ts'
import { gazetteer } from '../../support/registry.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const folder = t.testdir()
cpSync(gazetteer, folder, { recursive: true })
const place = join(folder, 'manifests', 'places', 'place.yaml')
const asPage = readFileSync(place, 'utf8').replace('formats: [json, html,', 'formats: [html, json,')
writeFileSync(place, asPage.replace(/, expect: .*(?= \}$)/m, ''))
const listed = readFileSync(join(folder, 'manifests', 'places', 'harbours.yaml'), 'utf8')
  .slice(0, -1)
  .split('\n')
const rights = listed.filter(line => /^(?:tags|access|carries_pii|requires_consent|license|sources|since):/.test(line))
const manifest = (corpus: string): string =>
  [
    'kind: row-sitemap',
    `path: /sitemap-${corpus}.xml`,
    'summary: The pages of places.',
    ...rights,
    'freshness: catalog',
    'provenance: live',
    'contract: bare',
    'formats: [sitemap, json]',
    `corpus: ${corpus}\n`
  ].join('\n')
for (const corpus of ['places', 'harbours'])
  writeFileSync(join(folder, 'manifests', `sitemap-${corpus}.yaml`), manifest(corpus))

const { database, url } = await testDatabase(t, 'empty')
await migrateRoot(database.bulk, folder)
const faults: unknown[] = []
/** Serves the root as a process that has not been asked yet. */
const serve = async () => await serveGeneration(t, await generationOf(t, [folder], { databaseUrl: url, faults }))
const { get } = await serve()

/** What a sitemap lists, as search engines read it. */
const locations = async (path: string, at = get): Promise<string[]> => {
  const answer = await at(path)
  t.match(answer.headers.get('content-type'), 'application/xml')
  return [...(await answer.text()).matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, found = '']) => found)
}
const pageOf = (id: number): string => `/api/v1/places/by-id/${id}`

t.test('the pages of the rows of a table are listed, and robots.txt names where', async t => {
  t.same((await locations('/sitemap-places.xml')).slice(0, 2), [pageOf(1), pageOf(2)])
  t.equal((await get('/sitemap-places.xml?part=1')).status, 200)
  t.match(await (await get('/robots.txt')).text(), /^Sitemap: .*\/sitemap-places\.xml$/m)
  t.same(await locations('/sitemap-harbours.xml'), [], 'a table without pages')
  t.equal((await get('/sitemap-harbours.xml?part=2')).status, 404)
})

t.test('rows without a page of their own are listed where their surface has a form for people', async t => {
  const asPage = readFileSync(place, 'utf8')
  writeFileSync(place, asPage.replace('formats: [html, json,', 'formats: [json, html,'))
  t.same((await locations('/sitemap-places.xml', (await serve()).get)).slice(0, 2), [pageOf(1), pageOf(2)])
  writeFileSync(place, asPage.replace('formats: [html, json,', 'formats: [json,'))
  t.same(await locations('/sitemap-places.xml', (await serve()).get), [], 'an answer for programs alone is no page')
  writeFileSync(place, asPage)
})

t.test('more pages than one sitemap may have are in parts, each page in one of them', async t => {
  await database.bulk.raw('delete from places')
  const grown = (rows: number): Promise<unknown> =>
    database.bulk.raw(
      `insert into places (id, name, kind, has_harbour, surveyed_at)
       select n * 3, 'Place ' || n, 'town', true, now() from generate_series(1 + (select count(*) from places), ?::bigint) n`,
      [rows]
    )
  await grown(100_000)
  t.same(await locations('/sitemap-places.xml', (await serve()).get), [
    '/sitemap-places.xml?part=1',
    '/sitemap-places.xml?part=2'
  ])
  await grown(100_001)
  const { get } = await serve()
  const parts = await locations('/sitemap-places.xml', get)
  t.equal(parts.length, 3)
  const pages: string[] = []
  const asked: string[] = []
  const note = (statement: unknown): number => asked.push(String((statement as Statement).sql))
  subscribe('tracing:pantry.database.statement:start', note)
  for (const part of parts) pages.push(...(await locations(part, get)))
  unsubscribe('tracing:pantry.database.statement:start', note)
  t.equal(asked.filter(sql => sql.includes('places')).length, parts.length, 'a part is one statement')
  t.equal(pages.length, 100_001)
  t.equal(new Set(pages).size, 100_001)
  t.same([pages[0], pages[50_000], pages.at(-1)], [pageOf(3), pageOf(150_003), pageOf(300_003)])
  t.equal((await get(pageOf(300_003))).status, 200)
  const none = await get('/sitemap-places.xml?part=4&format=json')
  t.equal(none.status, 404)
  t.match(await none.json(), { error: { details: { parts: 3 } } })
  t.same(faults, [])
})
