import t from 'tap'
import { readConfig, UsageError, variables } from '../../bin/config.ts'
import { variablesOf } from '../../bin/settings.ts'
import settings from '../../surfaces/settings.ts'
import { pantry } from '../support/command-line.ts'

type Row = Readonly<{ name: string; value: string; from: string }>
const config = async (env: Record<string, string>): Promise<Map<string, Row>> =>
  new Map((JSON.parse((await pantry(['config', '--format', 'json'], env)).stdout) as Row[]).map(row => [row.name, row]))

t.test('every setting is shown with where its value came from', async t => {
  const { code, stdout } = await pantry(['config'], { PORT: '0' })
  t.equal(code, 0)
  for (const { name } of [...variables, ...variablesOf(settings)]) t.match(stdout, new RegExp(`^${name} `, 'm'))
  t.match(stdout, /^PORT +0 +environment /m)
  t.match(stdout, /^HOST +127\.0\.0\.1 +default /m)
})

t.test('no secret is shown, wherever the URL carries it', async t => {
  for (const url of ['postgres://me:s3cr3t@db.example/cards', 'postgres://db.example/cards?user=me&password=s3cr3t']) {
    const row = (await config({ DATABASE_URL: url })).get('DATABASE_URL')
    t.notMatch(row?.value, /s3cr3t/, url)
    t.match(row?.value, /\*\*\*/)
    t.equal(row?.from, 'environment')
  }
  t.notMatch(
    (await config({ PANTRY_SMTP_URL: 'smtps://me:s3cr3t@mail.example' })).get('PANTRY_SMTP_URL')?.value,
    /s3cr3t/
  )
  t.equal((await config({})).get('DATABASE_URL')?.value, 'embedded')
})

/** A configuration is refused with these words, and without what is secret in it. */
const refused = (env: Record<string, string>, words: RegExp): void => {
  try {
    readConfig(env)
    t.fail('it was taken')
  } catch (error) {
    t.type(error, UsageError)
    t.match(String(error), words)
    t.notMatch(String(error), /s3cr3t/)
  }
}

t.test('a setting that cannot be is refused by its name, and without its password', t => {
  const url = 'postgres://me:s3cr3t@one/cards'
  const several = 'postgres://me:s3cr3t@one,two:5433/cards'
  refused({ DATABASE_URL: several }, /DATABASE_URL must name one server.* HAProxy/)
  refused({ DATABASE_URL: url, DATABASE_READ_URL: several }, /DATABASE_READ_URL must name one server.* HAProxy/)
  refused({ DATABASE_URL: 'postgresql://s3cr3t@:bad' }, /DATABASE_URL is not a valid URL/)
  refused({ DATABASE_READ_URL: url }, /DATABASE_READ_URL needs DATABASE_URL/)
  refused(
    { DATABASE_URL: url, PANTRY_READ_LAG: '5' },
    /PANTRY_READ_LAG is no longer read.*\/read-only\?lag=.* Remove it/
  )
  refused(
    { DATABASE_URL: url, PANTRY_DATABASE_POOLER: 'session' },
    /PANTRY_DATABASE_POOLER must be none or transaction/
  )
  refused(
    { PANTRY_TRUSTED_PROXIES: '10.0.0.0/8, proxy.example' },
    /PANTRY_TRUSTED_PROXIES must be addresses, .* `proxy\.example`/
  )
  t.match(readConfig({ DATABASE_URL: url, DATABASE_READ_URL: url, PANTRY_DATABASE_POOLER: 'transaction' }), {
    databaseUrl: url,
    databaseReadUrl: url,
    pooler: 'transaction'
  })
  t.end()
})

t.test('a variable that is named almost like a setting is told, whatever is run', async t => {
  const { code, stdout, stderr } = await pantry(['config', '--format', 'json'], {
    PANTRY_WORKER: '4',
    PANTRY_CARDS: '/cards',
    PANTRY_DATA_DIR: '/data'
  })
  t.equal(code, 0)
  t.equal(stderr, 'warning: PANTRY_WORKER is no setting of Pantry. Did you mean PANTRY_WORKERS?\n')
  t.type(JSON.parse(stdout), Array)
})

t.test('the address of a database names one server', t => {
  for (const url of [
    'postgres://pantry@db.example/pantry',
    'postgresql://pantry:a,b@db.example:5433/pantry?sslmode=require',
    'postgres://pantry@[::1]:5432/pantry',
    'postgres://pantry@%2Frun%2Fpostgresql/pantry',
    'postgres:///pantry?host=/run/postgresql',
    'postgres://pantry@/pantry?host=/run/postgresql'
  ])
    t.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  for (const [url, words] of [
    ['mysql://me:s3cr3t@db.example/pantry', /must start with postgres:/],
    ['s3cr3t', /must start with postgres:/],
    ['postgresql://s3cr3t@:bad', /is not a valid URL/],
    ['postgres://me:s3cr3t@db.example:99999/pantry', /is not a valid URL/],
    ['postgres://me:s3cr3t@one,two:5433/pantry', /must name one server/],
    ['postgres://me:s3cr3t@one/pantry?host=one,two', /must name one server/],
    ['postgres://me:s3cr3t@one%2Ctwo/pantry', /must name one server/],
    ['postgres://me:s3cr3t@one/pantry?port=1,2', /must name one server/],
    ['postgres://me:s3cr3t@one/pantry?host=one&host=two', /must name one server/],
    ['postgres://me:s3cr3t@one/pantry?application_name=a&host=one%2Ctwo', /must name one server/]
  ] as const)
    refused({ DATABASE_URL: url }, words)
  t.end()
})

t.test('a parameter of the address is one that is known, and is shown only where it is close to one', t => {
  const base = 'postgres://me:s3cr3t@db.example/pantry'
  for (const query of [
    ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'].map(mode => `sslmode=${mode}`),
    'application_name=a%40b&connect_timeout=5&channel_binding=prefer&gssencmode=disable&target_session_attrs=any',
    'ssl_min_protocol_version=TLSv1.2&ssl_max_protocol_version=tlsv1.3'
  ])
    t.equal(readConfig({ DATABASE_URL: `${base}?${query}` }).databaseUrl, `${base}?${query}`)
  const byUser = 'postgres://db.example/pantry?user=me@db&password=s3cr3t'
  t.equal(readConfig({ DATABASE_URL: byUser }).databaseUrl, byUser)
  refused({ DATABASE_URL: `${base}?sslmod=require` }, /DATABASE_URL has an unknown parameter `sslmod`.*mean `sslmode`/)
  refused({ DATABASE_URL: base, DATABASE_READ_URL: `${base}?sslmod=require` }, /DATABASE_READ_URL has an unknown par/)
  refused({ DATABASE_URL: `${base}?password=a&s3cr3t=1` }, /has an unknown parameter after `\?`/)
  refused({ DATABASE_URL: `${base}?sslmode=s3cr3t` }, /sslmode` of disable, allow, prefer, require, verify-ca, verify-/)
  refused(
    { DATABASE_URL: `${base}?sslrootcert=/no/root.crt` },
    /sslrootcert` or `sslcrl` that cannot be used: .*\/no\/root\.crt/
  )
  refused(
    { DATABASE_URL: `${base}?sslrootcert=${import.meta.filename}` },
    /`sslrootcert` or `sslcrl` that cannot be used/
  )
  refused({ DATABASE_URL: `${base}?sslcert=a.crt` }, /must have both `sslcert` and `sslkey`/)
  refused({ DATABASE_URL: `${base}?sslmode=require&sslrootcert=system` }, /must have `sslmode=verify-full` with/)
  refused(
    { DATABASE_URL: `${base}?sslmode=prefer&sslnegotiation=direct` },
    /must have an `sslmode` of require, verify-/
  )
  t.end()
})

t.test('a parameter that cannot be followed is refused with what to write instead, not ignored', t => {
  const base = 'postgres://me:s3cr3t@db.example/pantry'
  for (const [query, words] of [
    ['dbname=cards', /has the parameter `dbname`, which cannot be followed here\. Write the name .* as the path\.$/],
    ['hostaddr=10.0.0.1', /`hostaddr`/],
    ['service=cards', /`service`/],
    ['passfile=/run/s3cr3t', /`passfile`.* Write the password into the URL/],
    ['requiressl=1', /`requiressl`.* Write `sslmode=require`/],
    ['sslmode=require&channel_binding=require', /`channel_binding`.* Write `sslmode=verify-full`/],
    ['sslmode=require&require_auth=scram-sha-256', /`require_auth`/],
    ['sslcrldir=/crl', /`sslcrldir`.*`sslcrl`/],
    ['gssencmode=require', /`gssencmode`/],
    ['target_session_attrs=read-write', /`target_session_attrs`/],
    ['sslmode=require&ssl_min_protocol_version=TLSv2', /must have an `ssl_min_protocol_version`.* of TLSv1, TLSv1\.1,/],
    ['ssl_min_protocol_version=TLSv1.3&ssl_max_protocol_version=TLSv1.2', /`ssl_max_protocol_version` not below it/],
    ['sslcrl=/no/list.pem', /`sslcrl` that cannot be used: .*\/no\/list\.pem/],
    ['sslnegotiation=direct', /must have an `sslmode` of require, verify-ca or verify-full with/]
  ] as const)
    refused({ DATABASE_URL: `${base}?${query}` }, words)
  t.end()
})

t.test('PGSSLMODE holds for an address without a mode, and is refused where it is none', t => {
  const before = process.env['PGSSLMODE']
  t.teardown(() => {
    if (before === undefined) delete process.env['PGSSLMODE']
    else process.env['PGSSLMODE'] = before
  })
  const base = 'postgres://me:s3cr3t@db.example/pantry'
  process.env['PGSSLMODE'] = 'requre'
  refused({ DATABASE_URL: base }, /DATABASE_URL has no `sslmode`, and PGSSLMODE is none of disable, allow, /)
  for (const url of [`${base}?sslmode=require`, `${base}?ssl=true`])
    t.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  t.equal(readConfig({}).databaseUrl, undefined, 'the embedded server takes none of it')
  t.end()
})

t.test('what must be percent-encoded in a password is told, and nothing of it', t => {
  for (const mark of ['#', '/', '?', '@'])
    for (const password of [`s3cr3t${mark}s3cr3t`, `1${mark}s3cr3t`, `1${mark}s3cr3t=1&s3cr3t`])
      refused({ DATABASE_URL: `postgres://me:${password}@db.example/pantry` }, /DATABASE_URL has .* percent-encoded/)
  const encoded = 'postgres://me:%23%2F%3F%40@db.example/pantry'
  t.equal(readConfig({ DATABASE_URL: encoded }).databaseUrl, encoded)
  t.end()
})

t.test('an address to listen on may have the brackets of a URL', t => {
  for (const host of ['[::1]', '::1']) t.equal(readConfig({ HOST: host }).host, '::1')
  t.equal(readConfig({}, { HOST: '[::]' }).host, '::', 'as `--host` too')
  t.equal(readConfig({ HOST: '[localhost]' }).host, '[localhost]', 'what is no address is not changed')
  t.end()
})

t.test('the base URL is an origin, or one with a path of plain words', t => {
  for (const [text, url] of [
    ['https://api.example.org/', 'https://api.example.org'],
    ['https://example.org/data/', 'https://example.org/data'],
    ['https://example.org/data/v1_2', 'https://example.org/data/v1_2']
  ] as const)
    t.equal(readConfig({ PANTRY_BASE_URL: text }).baseUrl, url)
  for (const text of [
    'https://a.example/a.b',
    'https://a.example/a%20b',
    'https://a.example//',
    'https://a.example/?a'
  ])
    refused({ PANTRY_BASE_URL: text }, /PANTRY_BASE_URL must be an origin such as .*, or one with a path of letters/)
  t.end()
})
