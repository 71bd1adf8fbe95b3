import t from 'tap'
import type { Config } from '../../bin/config.ts'
import { openServices } from '../../bin/open-services.ts'
import { loadRoots } from '../../bin/roots.ts'
import type { Corpus } from '../../core/corpus/corpus.ts'
import type { Registry } from '../../core/registry/registry.ts'
import declared from '../../surfaces/corpora.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const noLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
/** The corpora that the services read, without an entry. */
const corpora = new Map(
  Object.keys(declared).map(name => [name, { name, entries: [], byKey: new Map() } as unknown as Corpus])
)
const open = async (databaseUrl: string): ReturnType<typeof openServices> =>
  await openServices(
    await loadRoots([]),
    {
      service: {
        encoding: 'x/universal/v1',
        name: 'Cards',
        base_url: 'http://127.0.0.1:8080',
        contact: { email: 'desk@cards.example' }
      },
      corpora
    } as unknown as Registry,
    { databaseUrl, dataDir: '' } as Config,
    noLog
  )

t.test('services of an empty database can be prepared twice, and say that they hold nothing', async t => {
  const { url } = await testDatabase(t, 'empty')
  const root = await open(url)
  t.teardown(root.close)
  await eventually(async () => {
    if ((await root.health()).database?.status !== 'ok') throw new Error('the readers are not connected yet')
  })
  t.match(
    await root.health(),
    { database: { status: 'ok' }, catalogue: { status: 'down', isReadable: false } },
    'before the schema is there'
  )
  await root.prepare(() => undefined)
  await root.prepare(() => undefined)
  t.match(await root.health(), {
    database: { status: 'ok', isWritable: true },
    catalogue: { status: 'degraded', detail: 'The catalogue holds no cards yet.', isReadable: true }
  })
  t.equal(root.services['encoding'], 'x/universal/v1')
})

t.test('without its server the services say so instead of failing', async t => {
  const root = await open('postgresql://nobody@127.0.0.1:1/none')
  t.teardown(root.close)
  t.match(await root.health(), {
    database: { status: 'down', isWritable: false },
    catalogue: { status: 'down', isReadable: false }
  })
  await t.rejects(root.prepare(() => undefined))
})
