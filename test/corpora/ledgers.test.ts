// test: sampled, slow.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../core/canonical/json.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { importSource } from '../../surfaces/importer.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { cardFolder, withoutCards } from '../support/card-folder.ts'
import { someOf } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'

type Check = Readonly<{
  path: string
  query?: string
  status: number
  member?: readonly string[]
  holds?: JsonValue
  lacks?: true
}>
type Gap = Readonly<{ id: string; status: string; citation: string; check: Check }>
type Handoff = Readonly<{ slug: string; status: string; leaves_open: readonly string[] }>

const { registry } = await registryOf()
const entries = (name: string) => registry.corpora.get(name)?.entries ?? []

const memberAt = (document: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], document)

/** A service over a database, once its readers are connected, which they do on their own time. */
async function serviceOf(t: Test, url: string) {
  const service = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  await eventually(async () => {
    if ((await service.get('/api/v1/cards/op-op01-001-en/everything')).status !== 200)
      throw new Error('the cards cannot be read yet')
  })
  return service
}

async function holdAll(t: Test, { get }: Awaited<ReturnType<typeof serviceOf>>): Promise<void> {
  const gaps = entries('gaps') as unknown as readonly Gap[]
  t.ok(gaps.length > 0)
  for (const {
    id,
    check: { path, query, status, member, holds, lacks = false }
  } of gaps) {
    const response = await get(query === undefined ? path : `${path}?${query}`)
    t.equal(response.status, status, `${id}: ${path}`)
    const text = await response.text()
    if (member === undefined) continue
    const found = memberAt(JSON.parse(text), member)
    if (lacks) t.equal(found, undefined, `${id}: ${path} lacks ${member.join('.')}`)
    else t.strictSame(found, holds, `${id}: ${path} ${member.join('.')}`)
  }
}

t.test('a gap is as it says: the request that it names shows what it says it shows', async t => {
  const { url } = await bundledDatabase(t)
  await holdAll(t, await serviceOf(t, url))
})

t.test('a gap is as it says also where an operator imported more', { skip: withoutCards }, async t => {
  const { url } = await bundledDatabase(t)
  const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient: true })
  const sources = declaredSources()
  for (const id of someOf(['punk-records', 'optcg-limitless', 'lorcana-data', 'fab-cube']))
    await importSource(database, sources.get(id)!, { folder: join(cardFolder!, id), conditionsMet: true })
  await database.close()
  await holdAll(t, await serviceOf(t, url))
})

t.test('what the introduction says is lacking is a gap that is open', t => {
  const open = new Set(
    (entries('gaps') as unknown as readonly Gap[])
      .filter(({ status }) => !status.startsWith('closed'))
      .map(({ id }) => `/api/v1/gaps/${id}`)
  )
  const { what_we_do_not_yet_offer: lacks } = registry.documents.get('introduction')?.value as unknown as {
    what_we_do_not_yet_offer: readonly { gap: string; ledger: string }[]
  }
  t.same(
    lacks.filter(({ ledger }) => !open.has(ledger)).map(({ gap }) => gap),
    []
  )
  t.end()
})

t.test('a handoff names gaps that are still open, and none once it is resolved', t => {
  const open = new Set(
    (entries('gaps') as unknown as readonly Gap[])
      .filter(({ status }) => !status.startsWith('closed'))
      .map(({ id }) => id)
  )
  for (const { slug, status, leaves_open: left } of entries('handoffs') as unknown as readonly Handoff[]) {
    t.equal(left.length === 0, status === 'resolved', slug)
    for (const id of left) t.ok(open.has(id), `${slug} leaves ${id} open`)
  }
  t.end()
})
