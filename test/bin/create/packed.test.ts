// test: long. Packs both packages, and installs Pantry with what it depends on from the npm registry.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { scratchFolder } from '../../support/scratch.ts'

t.test('the packed program begins a service of a file that is valid', { timeout: 600_000 }, async t => {
  const folder = scratchFolder(t)
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
  const both = async (cwd: string, ...[program = '', ...args]: readonly string[]) =>
    await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })
  const run = async (...line: Parameters<typeof both>): Promise<string> => (await both(...line)).stdout
  const [pantry = '', creator = ''] =
    (await run(packageFolder, 'npm', 'run', '--silent', 'pack', '--', folder)).match(/^\S+\.tgz$/gm) ?? []
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  writeFileSync(join(folder, 'places.csv'), 'id,name\n1,Ashport\n2,Dunmere\n')
  await run(folder, 'npm', 'install', '--offline', creator)
  const from = ['--from', 'places.csv', '--key', 'id', '--search', 'name', '--license', 'CC0-1.0']
  const made = await run(
    folder,
    ...['npx', '--no-install', 'create-pantry', 'places', '--package', pantry, ...from, '--no-install']
  )
  t.match(made, /manifests\/places\.yaml\n/)
  const places = join(folder, 'places')
  const { stdout, stderr } = await both(places, 'npx', '--no-install', 'pantry', 'validate')
  t.match(stderr, / 0 errors, 2 warnings/)
  t.equal(stdout.split('warning[M446]').length, 3, 'the texts that only the author can write')
})
