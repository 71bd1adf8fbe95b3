// test: slow.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connectClient, commandLimits, silent, servingLimits } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { diagnoseDatabase } from '../../../core/database/doctor.ts'
import { openPool } from '../../../core/database/pool.ts'
import { authority, noCertificates } from '../../support/certificates.ts'
import { libraryIn, pantry } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { proxiedDatabase } from '../../support/fault-proxy.ts'
import { noPostgres, startPrimary } from '../../support/postgres.ts'

/** Whether the connection that an address leads to is encrypted; the error where there is none. */
async function isEncrypted(url: string): Promise<unknown> {
  const client = await connectClient({ url }, commandLimits).catch((error: unknown) => error as Error)
  if (client instanceof Error) return client
  try {
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0]?.ssl
  } finally {
    await client.end()
  }
}

t.test('a server without TLS', async t => {
  const { url: direct } = await testDatabase(t, 'empty')
  const { url } = await proxiedDatabase(t, direct)
  for (const mode of ['disable', 'allow', 'prefer'])
    t.equal(await isEncrypted(`${url}?sslmode=${mode}&application_name=me`), false, mode)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    t.match(await isEncrypted(`${url}?sslmode=${mode}`), {
      code: 'O104',
      message: /does not speak TLS/,
      fix: /sslmode=prefer/
    })
  t.equal(await isEncrypted(`${direct}?sslmode=verify-full`), false, 'what goes through a socket is not encrypted')

  await t.test('the pool and the reader take prefer', async t => {
    const database = await openDatabase({ url: `${url}?sslmode=prefer`, dataDir: '', log: silent, isPatient: true })
    t.teardown(() => database.close())
    t.ok(await database.bulk.raw('select 1'))
    await eventually(() => {
      if (database.reader.connected() === 0) throw new Error('the reader is not connected')
    })
  })

  await t.test('a service that asks for TLS ends, and says why, without a warning of the driver', async t => {
    const warnings: string[] = []
    const note = ({ message }: Error): unknown => warnings.push(message)
    process.on('warning', note)
    t.teardown(() => process.off('warning', note))
    const root = libraryIn(t.testdir())
    mkdirSync(join(root, 'migrations'))
    writeFileSync(join(root, 'migrations', '0001_tls.js'), 'export const up = async () => {}, down = up\n')
    const env = { DATABASE_URL: `${url}?sslmode=require`, PORT: '0' }
    t.match(await pantry(['migrate', '--root', root], env), {
      code: 3,
      stderr: /does not speak TLS.*\n.*sslmode=prefer/
    })
    const served = await pantry(['serve', '--root', root], env)
    t.equal(served.code, 3)
    const lines = served.stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as object)
    t.match(lines.at(-1), { level: 'fatal', code: 'O104', msg: /does not speak TLS/, fix: /sslmode=prefer/ })
    t.match(await pantry(['doctor', '--root', root], env), { code: 3, stdout: /does not speak TLS/ })
    t.match(await pantry(['migrate', '--root', root], { ...env, DATABASE_URL: `${url}?sslmode=prefer` }), { code: 0 })
    t.same(warnings, [])
  })
})

t.test('a server with TLS', { skip: noPostgres || noCertificates }, async t => {
  const { own, sign, revoke } = authority(t)
  const other = authority(t).own
  const server = sign('server', 'DNS:localhost')
  const client = sign('certified', 'DNS:client')
  const primary = await startPrimary(t, {
    files: { 'server.crt': server.cert, 'server.key': server.key, 'root.crt': own.cert },
    settings: "ssl = on\nssl_ca_file = 'root.crt'\n",
    rules: `hostssl all plain_only 127.0.0.1/32 reject
hostnossl all tls_only 127.0.0.1/32 reject
hostssl all certified 127.0.0.1/32 trust clientcert=verify-ca
hostnossl all certified 127.0.0.1/32 reject`
  })
  await primary.query('create role plain_only login; create role tls_only login; create role certified login')
  const at = (query: string, { host = '127.0.0.1', user = 'pantry' } = {}): Promise<unknown> =>
    isEncrypted(`postgres://${user}@${host}:${primary.port}/pantry?${query}`)
  const root = `sslrootcert=${encodeURIComponent(own.certFile)}`
  const wrong = `sslrootcert=${encodeURIComponent(other.certFile)}`
  const refusal = { code: 'O104', message: /There is no TLS connection to the database server/ }

  await t.test('each mode is what libpq means by it', async t => {
    for (const [query, isTls] of [
      ['sslmode=disable', false],
      ['sslmode=allow', false],
      ['sslmode=prefer', true],
      ['sslmode=require', true],
      [`sslmode=require&${root}`, true],
      [`sslmode=verify-ca&${root}`, true],
      ['sslmode=require&sslnegotiation=postgres', true]
    ] as const)
      t.equal(await at(query), isTls, query)
    t.equal(await at(`sslmode=verify-full&${root}`, { host: 'localhost' }), true)
    t.equal(await at(root, { host: 'localhost' }), true)
    t.equal(await at(`sslmode=prefer&${wrong}`), false, 'it is plain where the certificate is not trusted')
    for (const query of [
      `sslmode=verify-full&${root}`,
      'sslmode=verify-full',
      'sslmode=verify-ca',
      `sslmode=verify-ca&${wrong}`,
      `sslmode=require&${wrong}`,
      root
    ])
      t.match(await at(query), refusal, query)
  })

  await t.test('the version of TLS is within its bounds', async t => {
    const versionAt = async (query: string): Promise<unknown> => {
      const url = `postgres://pantry@127.0.0.1:${primary.port}/pantry?sslmode=require&${query}`
      const client = await connectClient({ url }, commandLimits)
      const { rows } = await client.query('select version from pg_stat_ssl where pid = pg_backend_pid()')
      await client.end()
      return rows[0]
    }
    t.match(await versionAt('ssl_max_protocol_version=TLSv1.2'), { version: 'TLSv1.2' })
    t.match(await versionAt('ssl_min_protocol_version=TLSv1.3'), { version: 'TLSv1.3' })
    t.match(await at('sslmode=require&ssl_min_protocol_version=TLSv1&ssl_max_protocol_version=TLSv1.1'), {
      code: 'O104'
    })
  })

  await t.test('a certificate that its authority has revoked is not trusted', async t => {
    const crl = `sslcrl=${encodeURIComponent(revoke('server'))}`
    t.match(await at(`sslmode=verify-ca&${root}&${crl}`), { ...refusal, message: /revoked/ })
    t.equal(await at(`sslmode=verify-ca&${root}&sslcrl=${encodeURIComponent(revoke('certified'))}`), true)
  })

  await t.test('PGSSLMODE means what `sslmode` means, where the URL has none', async t => {
    t.teardown(() => {
      delete process.env['PGSSLMODE']
    })
    for (const [mode, isTls] of [
      ['disable', false],
      ['allow', false],
      ['prefer', true],
      ['require', true]
    ] as const) {
      process.env['PGSSLMODE'] = mode
      t.equal(await at('application_name=me'), isTls, mode)
      t.equal(await at('sslmode=disable'), false, 'the URL decides')
    }
    process.env['PGSSLMODE'] = 'verify-full'
    t.match(await at(''), refusal)
  })

  await t.test('where the server refuses one way for a user, the other is tried', async t => {
    t.equal(await at('sslmode=prefer', { user: 'plain_only' }), false)
    t.equal(await at('sslmode=allow', { user: 'tls_only' }), true)
    t.match(await at('sslmode=require', { user: 'plain_only' }), { code: '28000' })
    t.match(await at('sslmode=disable', { user: 'tls_only' }), { code: '28000' })
  })

  await t.test('the client shows its certificate', async t => {
    const files = `sslcert=${encodeURIComponent(client.certFile)}&sslkey=${encodeURIComponent(client.keyFile)}`
    t.equal(await at(`sslmode=require&${files}`, { user: 'certified' }), true)
    t.match(await at('sslmode=require', { user: 'certified' }), { code: '28000' })
  })

  await t.test('the pool encrypts too', async t => {
    const url = `postgres://pantry@127.0.0.1:${primary.port}/pantry?sslmode=require`
    const pool = openPool({ url }, servingLimits, 1, silent)
    t.teardown(() => pool.destroy())
    const { rows } = await pool.raw<{ rows: unknown }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    t.same(rows, [{ ssl: true }])
    const findings = await diagnoseDatabase({
      url: `${url}&${wrong}`,
      dataDir: '/',
      migrations: () => Promise.resolve({ done: [], pending: [], unknown: [] })
    })
    t.match(findings, [{ ok: false, detail: /self-signed|unable to/, fix: /sslrootcert/ }])
  })
})
