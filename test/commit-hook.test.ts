// test: long. Each commit starts a linter.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { scratchFolder } from './support/scratch.ts'

t.test('a commit of code that is laid out otherwise, or breaks a rule, is refused', async t => {
  const repository = scratchFolder(t)
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: repository,
      env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8'
    })
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(repository, file)), { recursive: true })
    writeFileSync(join(repository, file), content)
  }
  const commit = () => git('commit', '--quiet', '--message', 'Try the hook')
  git('init', '--quiet')
  const settings = readdirSync(packageFolder).filter(name => /^(?:\.editorconfig|\.prettier|eslint\.config)/.test(name))
  for (const name of ['.githooks', 'package.json', ...settings])
    cpSync(join(packageFolder, name), join(repository, name), { recursive: true })
  write('.gitignore', 'node_modules\n')
  git('config', 'core.hooksPath', '.githooks')

  git('add', '--all')
  t.match(commit(), { status: 1, stderr: 'run `npm ci`' }, 'tools are missing')
  git('commit', '--quiet', '--no-verify', '--message', 'Begin')
  symlinkSync(join(packageFolder, 'node_modules'), join(repository, 'node_modules'))

  const good = "export const name = 'a'\n"
  write('core/a file.ts', 'export const name  = "a"\n')
  git('add', '--all')
  write('core/a file.ts', good)
  t.match(commit(), { status: 1, stderr: /core\/a file\.ts[^]*Not committed\. `npm run format`/ }, 'the layout staged')
  git('add', '--all')
  write('core/a file.ts', 'export const name  = "a"\n')
  t.match(commit(), { status: 0, stderr: '' }, 'what is not staged says nothing')

  write('core/a file.ts', good)
  write('surfaces/b.ts', 'export const value: any = 1\n')
  git('add', '--all')
  t.match(commit(), { status: 1, stderr: /surfaces\/b\.ts[^]*no-explicit-any/ }, 'a rule')
  git('rm', '--quiet', '--force', '--cached', 'surfaces/b.ts', 'core/a file.ts')
  write('notes.md', '# Notes\n')
  git('add', 'notes.md')
  t.match(commit(), { status: 0, stderr: '' }, 'what is no code, or is gone, needs no tool')
})
