import { spawnSync } from 'node:child_process'
import { extname } from 'node:path'
import t from 'tap'
import { createLog } from '../../../core/http/log.ts'
import { testDatabase } from '../../support/database.ts'

function onTerminal(level: string): Readonly<{ log: ReturnType<typeof createLog>; written: () => string }> {
  let text = ''
  const stderr = {
    isTTY: true,
    writableLength: 0,
    write: (line: string) => {
      text += line
      return true
    }
  }
  return { log: createLog(level, stderr), written: () => text }
}

t.test('on a terminal the log is sentences: all is well in words alone, trouble with what is known of it', t => {
  const { log, written } = onTerminal('debug')
  log.info({ subsystem: 'import', refusals: [{ rows: 1 }] }, 'Two rows were read.')
  t.equal(written(), 'Two rows were read.\n')
  log.warn({ reason: 'no route', tries: 2 }, 'The database cannot be prepared yet.')
  t.equal(written().split('\n')[1], 'warn: The database cannot be prepared yet. reason=no route tries=2')
  log.error({ request_id: 'req_1', err: new Error('out of paper') }, 'fault')
  t.match(
    written().split('\n').slice(2).join('\n'),
    /^error: fault request_id=req_1\nError: out of paper\n +at /,
    'with the place of the fault'
  )
  t.end()
})

t.test('what a terminal would obey is shown, not sent to it', t => {
  const { log, written } = onTerminal('debug')
  log.warn({ file: 'a\u009bb\rc' }, 'A file is named \u001b[2J\u0007.')
  t.equal(written(), 'warn: A file is named \\x1b[2J\\x07. file=a\\x9bb\\x0dc\n')
  t.end()
})

t.test('a log that is asked to be plain is sentences on a pipe too', t => {
  let written = ''
  const stderr = { isTTY: false, writableLength: 0, write: (line: string) => (written += line) !== '' }
  createLog('info', stderr, true).info({ rows: 2 }, 'Two rows were read.')
  t.equal(written, 'Two rows were read.\n')
  t.end()
})

t.test('elsewhere each line is one JSON object with the same sentence', t => {
  const module = new URL(`../../../core/http/log${extname(import.meta.filename)}`, import.meta.url).href
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
    import { createLog } from '${module}'
    createLog('info', process.stderr).info({ rows: 2 }, 'Two rows were read.')`
    ],
    { encoding: 'utf8' }
  )
  const { time, ...line } = JSON.parse(stderr) as Readonly<Record<string, unknown>>
  t.same(line, { level: 'info', rows: 2, msg: 'Two rows were read.' })
  t.match(time, /^\d{4}-\d\d-\d\dT/)
  t.end()
})

t.test('what is below the level is not written', t => {
  const { log, written } = onTerminal('warn')
  log.info('unheard')
  t.equal(written(), '')
  t.end()
})

t.test('lines that nobody reads are dropped and counted, and those after are written again', t => {
  const lines: string[] = []
  const stderr = {
    isTTY: false,
    writableLength: 0,
    write: (line: string) => {
      lines.push(line)
      return true
    }
  }
  const log = createLog('info', stderr)
  log.info('read')
  stderr.writableLength = 2 ** 21
  for (const n of [1, 2, 3]) log.info({ n }, 'unread')
  t.equal(lines.length, 1)
  stderr.writableLength = 0
  log.info('read again')
  const [, told, last] = lines.map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)
  t.match(told, { level: 'warn', dropped: 3, msg: /dropped/ })
  t.match(last, { msg: 'read again' })
  log.info('and again')
  t.equal(lines.length, 4, 'told once')
  t.end()
})

t.test('of a fault of the database no value of a row is in the log', async t => {
  const {
    database: { knex }
  } = await testDatabase(t)
  const lines: string[] = []
  const log = createLog('debug', {
    isTTY: false,
    writableLength: 0,
    write: line => {
      lines.push(String(line))
      return true
    }
  })
  await knex.raw('create table canaries (name text unique, size integer check (size > 0))')
  await knex('canaries').insert({ name: 'canary', size: 1 })
  for (const row of [
    { name: 'canary', size: 1 },
    { name: 'another canary', size: 0 }
  ])
    await knex('canaries')
      .insert(row)
      .catch((error: unknown) => {
        log.error({ err: new Error('outer', { cause: error }), fault: 1 }, 'fault')
        log.error({ err: error }, 'fault')
      })
  t.equal(lines.length, 4)
  t.match(lines[1], /duplicate key value.*"code":"23505".*canaries_name_key/s, 'what helps to find it is there')
  t.notMatch(lines.join(''), /another canary|=\(canary\)/)
})
