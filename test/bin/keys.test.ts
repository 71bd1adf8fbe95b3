// test: slow.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { pantry, type Outcome } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService, type Service } from '../support/service.ts'

/** The blocks of code of the guide: files, which begin with their name, and lines of a shell. */
const blocks = [
  ...readFileSync(join(packageFolder, 'docs/keys.md'), 'utf8').matchAll(/(?:^ {4}.*\n|^\n(?= {4}))+/gm)
].map(([block]) => block.replaceAll(/^ {4}/gm, '').trim())

t.test('who follows the guide has a surface with keys, scopes and limits', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(packageFolder, join(folder, 'node_modules', 'pantry'))
  writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "pantry": "0.2.0" } }')
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => {
    process.chdir(before)
  })
  const env = { DATABASE_URL: url, PANTRY_DATA_DIR: join(folder, 'data') }
  const words = new Map<string, string>()
  let service: Service | undefined
  const serve = async (): Promise<void> => {
    service?.child.kill()
    service = await startService(t, { args: [], env: { ...env, LOG_LEVEL: 'debug' } })
  }
  const spoken: string[] = []

  /** Runs `pantry` with the words of a line, in which variables are what was stored before. */
  const run = async (line: string): Promise<Outcome> => {
    const spelled = line.replace('${KEY:0:19}', (words.get('KEY') ?? '').slice(0, 19))
    const args = [...spelled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
    const ran = await pantry([...args, ...(args[0] === 'init' ? ['--no-install'] : [])], env)
    t.equal(ran.code, 0, `${line}: ${ran.stderr}`)
    spoken.push(ran.stderr)
    return ran
  }

  const steps: readonly (readonly [form: RegExp, act: (...found: string[]) => Promise<void>])[] = [
    [
      /^npx pantry (.*)$/,
      async line => {
        await run(line)
      }
    ],
    [
      /^(\w+)=\$\(npx pantry (.*)\)$/,
      async (name, line) => {
        const key = (await run(line)).stdout.trim()
        t.match(key, /^pantry_key_[\w-]{49}$/)
        words.set(name, key)
      }
    ],
    [
      /^npm pkg set '(.*)'$/,
      async line => {
        await Promise.resolve(execFileSync('npm', ['pkg', 'set', line]))
      }
    ],
    [/^npm start$/, serve],
    [
      /^curl -i (?:-H "Authorization: Bearer \$(\w+)" )?http:\/\/127\.0\.0\.1:8080(\S+) +# (\d+)$/,
      async (name, path, status) => {
        const headers = name === '' ? {} : { Authorization: `Bearer ${words.get(name) ?? ''}` }
        const answer = await fetch(`${service?.url ?? ''}${path}`, { headers })
        await answer.text()
        t.equal(answer.status, Number(status), `${path} with ${name === '' ? 'no key' : name}`)
        if (name === 'WARDEN') t.equal(answer.headers.get('ratelimit-limit'), '3')
        t.equal(answer.headers.has('retry-after'), status === '429')
      }
    ]
  ]

  for (const block of blocks) {
    const file = /^# (manifests\/\S+)\n/.exec(block)?.[1]
    if (file !== undefined) {
      const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
      writeFileSync(file, `${written}${block}\n`)
      if (service !== undefined) await serve()
      continue
    }
    // Code, and a manifest with members left out, are tried in `openid/`.
    if (/^(?:import|kind:) /.test(block)) continue
    for (const line of block.split('\n')) {
      const bare = line.startsWith('curl') ? line : line.replace(/ +# .*$/, '')
      const [found, act] = steps.flatMap(([form, act]) => {
        const found = form.exec(bare)
        return found === null ? [] : [[found.slice(1).map((word: string | undefined) => word ?? ''), act] as const]
      })[0] ?? [[], undefined]
      if (act === undefined) t.fail(`The guide has a line that is not understood: ${line}`)
      else await act(...found)
    }
  }

  t.same([...words.keys()], ['KEY', 'WARDEN'])
  await run('test')
  const listed = (await run('keys list')).stdout
  t.match(listed, /^KEY +NAME .* LAST USED +STATE$/m)
  const today = new Date().toISOString().slice(0, 10)
  t.match(listed, new RegExp(`^pantry_key_\\S{8} +Harbour office +usual +\\S+ +${today} +revoked ${today}$`, 'm'))
  t.match(listed, /^pantry_key_\S{8} +Warden of the park +look-after +3 .* until 2030-01-31$/m)
  const kept = JSON.stringify(await database.knex('pantry_keys'))
  t.match(kept, /Warden of the park/)
  for (const [name, key] of words) {
    const secret = key.slice(19)
    t.notOk(
      [...spoken, listed, kept, service?.stderr() ?? ''].some(text => text.includes(secret)),
      `${name} is kept`
    )
  }

  for (const [line, code, said] of [
    ['issue', 2, /needs `--name`/],
    ['issue --name x --scopes look-after,prune', 2, /no scope `prune`. It may be: look-after\./],
    ['issue --name x --expires 2020-01-01', 2, /a day to come/],
    ['issue --name x --expires soon', 2, /a day to come, such as/],
    ['issue --name x --limit 0', 2, /at least 1/],
    ['list all', 2, /takes no further word/],
    ['revoke', 2, /first 19 characters/],
    [`revoke ${words.get('WARDEN') ?? ''}`, 2, /never by all/],
    ['revoke pantry_key_AAAAAAAA', 1, /no key `pantry_key_AAAAAAAA` that still holds/],
    [`revoke ${(words.get('KEY') ?? '').slice(0, 19)}`, 1, /that still holds/]
  ] as const)
    t.match(await pantry(['keys', ...line.split(' ')], env), { code, stdout: '', stderr: said }, line.slice(0, 40))
  t.match(await pantry(['config'], env), { code: 0, stdout: /PANTRY_KEY_REQUESTS +120/ })
})
