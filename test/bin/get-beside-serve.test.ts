import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { pantry } from '../support/command-line.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

t.test('pantry get shares the database of a service that runs', async t => {
  const env = { PANTRY_DATA_DIR: join(scratchFolder(t), 'data'), DATABASE_URL: '', LOG_LEVEL: 'silent' }
  const root = join(packageFolder, 'examples', 'incident-log')
  const { url } = await startService(t, { args: ['--root', root], env })
  const closed = await fetch(`${url}/api/v1/incidents/2/close`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ remedy: 'A new fuse.' })
  })
  t.equal(closed.status, 200, await closed.text())
  const { code, stdout, stderr } = await pantry(['get', '/api/v1/incidents/2', '--root', root], env)
  t.equal(code, 0, stderr)
  t.match(JSON.parse(stdout), { data: { incident: { remedy: 'A new fuse.' } } }, 'with what the service wrote')
  t.equal((await fetch(`${url}/api/v1/incidents/2`)).status, 200, 'which goes on')
})
