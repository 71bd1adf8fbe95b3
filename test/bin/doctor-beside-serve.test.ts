import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { library, pantry } from '../support/command-line.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

const root = join(packageFolder, 'examples', 'incident-log')
const port = (url: string): string => new URL(url).port

t.test('pantry doctor knows its own service by what it answers, and takes no other for it', async t => {
  const env = { PANTRY_DATA_DIR: join(scratchFolder(t), 'data'), DATABASE_URL: '', LOG_LEVEL: 'silent' }
  const { url, adminUrl } = await startService(t, { args: ['--root', root], env })
  const ports = { ...env, PORT: port(url), PANTRY_ADMIN_PORT: port(adminUrl) }
  const { code, stdout } = await pantry(['doctor', '--root', root], ports)
  t.match(stdout, /^port +ok .* is in use\. It is this service, which runs\.$/m)
  t.match(stdout, /^admin port +ok .*this service/m)
  t.equal(code, 0, stdout)
  t.match(
    await pantry(['doctor', '--root', library], ports),
    { code: 3, stdout: /^port +failed .* is in use\.$[^]*^admin port +failed /m },
    'another service has its port'
  )
  t.match(await pantry(['doctor', '--root', root], { ...ports, PORT: '0' }), {
    code: 3,
    stdout: /^admin port +failed/m
  })
})

t.test('what listens without an answer is none of its own', async t => {
  const other = createServer(socket => {
    socket.end('220 mail\r\n')
    socket.on('error', () => undefined)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const env = { PORT: String((other.address() as AddressInfo).port), PANTRY_DATA_DIR: join(scratchFolder(t), 'data') }
  t.match(await pantry(['doctor', '--root', library], env), { code: 3, stdout: /^port +failed .* is in use\.$/m })
})
