import { spawnSync } from 'node:child_process'
import t from 'tap'
import { shells } from '../../bin/commands/completion.ts'
import { commands } from '../../bin/commands/index.ts'
import { pantry } from '../support/command-line.ts'

t.test('every shell knows every command, option and word', async t => {
  for (const shell of shells) {
    const { code, stdout } = await pantry(['completion', shell])
    t.equal(code, 0)
    for (const { name } of commands) t.match(stdout, new RegExp(`\\b${name}\\b`), `${shell}: ${name}`)
    for (const word of ['warnings-as-errors', 'sarif', 'status-only', 'admin-port', 'breaking'])
      t.ok(stdout.includes(word), `${shell}: ${word}`)
  }
})

/** What bash would offer for a line whose last word is being typed. */
function offered(script: string, ...words: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_pantry\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words
    ],
    { encoding: 'utf8' }
  )
  if (status !== 0) throw new Error(stderr)
  return stdout.trimEnd().split('\n')
}

t.test('bash completes', { skip: spawnSync('bash', ['--version']).status === 0 ? false : 'no bash here' }, async t => {
  const script = (await pantry(['completion', 'bash'])).stdout
  t.strictSame(offered(script, 'pantry', 'va'), ['validate'])
  t.strictSame(offered(script, 'pantry', 'list', '--f'), ['--format'])
  t.strictSame(offered(script, 'pantry', 'list', '--format', ''), ['table', 'json', 'csv', 'names'])
  t.strictSame(offered(script, 'pantry', 'migrate', 's'), ['status'])
  t.strictSame(offered(script, 'pantry', 'help', 'expl'), ['explain'])
  t.strictSame(offered(script, 'pantry', 'list', '--root', ''), [''], 'a folder is left to the shell')
})
