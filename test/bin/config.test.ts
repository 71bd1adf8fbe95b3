import t from 'tap'
import { variables } from '../../bin/config.ts'
import { pantry } from '../support/command-line.ts'

type Row = Readonly<{ name: string, value: string, from: string }>
const config = async (env: Record<string, string>): Promise<Map<string, Row>> =>
  new Map((JSON.parse((await pantry(['config', '--format', 'json'], env)).stdout) as Row[]).map(row => [row.name, row]))

t.test('every setting is shown with where its value came from', async t => {
  const { code, stdout } = await pantry(['config'], { PORT: '0' })
  t.equal(code, 0)
  for (const { name } of variables) t.match(stdout, new RegExp(`^${name} `, 'm'))
  t.match(stdout, /^PORT +0 +environment /m)
  t.match(stdout, /^HOST +127\.0\.0\.1 +default /m)
})

t.test('no secret is shown, wherever the URL carries it', async t => {
  for (const url of ['postgres://me:s3cr3t@db.example/cards', 'postgres://db.example/cards?user=me&password=s3cr3t', 'postgresql://s3cr3t@:bad']) {
    const row = (await config({ DATABASE_URL: url })).get('DATABASE_URL')
    t.notMatch(row?.value, /s3cr3t/, url)
    t.match(row?.value, /\*\*\*/)
    t.equal(row?.from, 'environment')
  }
  t.equal((await config({})).get('DATABASE_URL')?.value, 'embedded')
})
