import t from 'tap'
import { testDatabase } from '../../../support/database.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

type Today = {
  date: string
  next_day_at: string
  today: Record<string, { url: string; shows: unknown } | null>
  changes_today: { id: string }[]
}

t.test('today shows what the surfaces show that it names', async t => {
  const { url } = await testDatabase(t)
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const read = async <T>(path: string): Promise<T> => ((await (await get(path)).json()) as { data: T }).data
  const today = await read<Today>('/api/v1/today')
  t.equal(Date.parse(today.next_day_at) - Date.parse(today.date), 86_400_000)
  for (const [name, shown] of Object.entries(today.today)) {
    if (shown === null) {
      t.notOk(
        registry.surfaces.some(({ route }) => route.path === `/api/v1/${name}`),
        `${name} is not served`
      )
      continue
    }
    const alone = await read<Record<string, unknown>>(shown.url)
    t.ok(
      Object.values(alone).some(value => JSON.stringify(value) === JSON.stringify(shown.shows)),
      `${name} agrees with ${shown.url}`
    )
  }
  t.ok(['koan', 'haiku', 'blessing', 'vibe', 'tarot'].every(name => today.today[name] !== null))
  t.same(await read('/api/v1/today'), today, 'the same for everyone')
  t.match((await get('/api/v1/today')).headers.get('cache-control'), /^public, max-age=300/)
})
