import t from 'tap'
import type { JsonObject, JsonValue } from '../../core/canonical/json.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { eventually } from '../support/eventually.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

type Check = Readonly<{ path: string, query?: string, status: number, member?: readonly string[], holds?: JsonValue, lacks?: true }>
type Gap = Readonly<{ id: string, status: string, citation: string, check: Check }>
type Handoff = Readonly<{ slug: string, status: string, leaves_open: readonly string[] }>

const { url } = await bundledDatabase(t)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const entries = (name: string) => registry.corpora.get(name)?.entries ?? []

const memberAt = (document: unknown, names: readonly string[]): unknown => names.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], document)

// The readers of the database connect on their own time.
await eventually(async () => { if ((await get('/api/v1/cards/op-op01-001-en/everything')).status !== 200) throw new Error('the cards cannot be read yet') })

t.test('a gap is as it says: the request that it names shows what it says it shows', async t => {
  t.ok(entries('gaps').length > 0)
  for (const { id, check: { path, query, status, member, holds, lacks = false } } of (entries('gaps') as unknown as readonly Gap[])) {
    const response = await get(query === undefined ? path : `${path}?${query}`)
    t.equal(response.status, status, `${id}: ${path}`)
    const text = await response.text()
    if (member === undefined) continue
    const found = memberAt(JSON.parse(text), member)
    if (lacks) t.equal(found, undefined, `${id}: ${path} lacks ${member.join('.')}`)
    else t.strictSame(found, holds, `${id}: ${path} ${member.join('.')}`)
  }
})

t.test('a handoff names gaps that are still open, and none once it is resolved', t => {
  const open = new Set((entries('gaps') as unknown as readonly Gap[]).filter(({ status }) => !status.startsWith('closed')).map(({ id }) => id))
  for (const { slug, status, leaves_open: left } of (entries('handoffs') as unknown as readonly Handoff[])) {
    t.equal(left.length === 0, status === 'resolved', slug)
    for (const id of left) t.ok(open.has(id), `${slug} leaves ${id} open`)
  }
  t.end()
})
