import { join } from 'node:path'
import t from 'tap'
import { refuseBesideService } from '../../core/database/backup/beside.ts'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { migrateRoot } from '../support/migrate-root.ts'
import { gazetteer } from '../support/registry.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

t.test('nothing is restored beside a service, on whatever server its rows are', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  await migrateRoot(database.bulk, gazetteer)
  const folder = scratchFolder(t)
  const file = join(folder, 'kept.gz')
  const env = { DATABASE_URL: url, PANTRY_DATA_DIR: folder }
  t.match(await pantry(['backup', file], env), { code: 0 })
  const service = await startService(t, { args: ['--root', gazetteer], env })
  const before = await (await fetch(`${service.url}/api/v1/places`)).text()
  for (const more of [['--replace'], []])
    t.match(await pantry(['restore', file, '--root', gazetteer, ...more], env), {
      code: 1,
      stderr:
        /^error\[O411\]: A service uses the database\. Nothing was changed\.\nStop the service, also on other machines/
    })
  t.equal((await fetch(`${service.url}/api/v1/places`)).status, 200)
  t.match(before, /Ashport/)
  await t.rejects(refuseBesideService(database.knex, { url, isPooled: true }), { code: 'O411', fix: /10 seconds/ })
  service.child.kill('SIGKILL')
  await new Promise(resolve => service.child.once('exit', resolve))
  t.match(await pantry(['restore', file, '--root', gazetteer, '--replace'], env), { code: 0 }, 'a crash leaves nothing')
})

t.test('also where Pantry runs the server', async t => {
  const env = { PANTRY_DATA_DIR: scratchFolder(t) }
  const file = join(scratchFolder(t), 'kept.gz')
  const service = await startService(t, { args: ['--root', gazetteer], env })
  t.match(await pantry(['backup', file], env), { code: 0 })
  t.match(await pantry(['restore', file, '--root', gazetteer, '--replace'], env), { code: 1, stderr: /O411/ })
  service.child.kill('SIGTERM')
  await new Promise(resolve => service.child.once('exit', resolve))
  t.match(await pantry(['restore', file, '--root', gazetteer, '--replace'], env), { code: 0 })
})
