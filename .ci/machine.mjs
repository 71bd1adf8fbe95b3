// Installs with apt what some tests need beside Node, where this is Debian and the user is root; elsewhere it names
// what is missing.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const paths = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const inPath = name => paths.some(folder => existsSync(join(folder, name)))
const hasPostgres = () =>
  existsSync('/usr/lib/postgresql') &&
  readdirSync('/usr/lib/postgresql').some(version => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))
const hasFaketime = () => inPath('faketime')

const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Debian's package, whether its program is here, and what is not tried without it. */
const wanted = [
  ['chromium-headless-shell', () => browsers.some(inPath), 'pages in a browser'],
  ['postgresql', hasPostgres, 'another version of PostgreSQL'],
  ['pgbouncer', () => inPath('pgbouncer'), 'a pooler before the database'],
  ['nginx-light', () => inPath('nginx'), 'nginx as a cache'],
  ['varnish', () => inPath('varnishd'), 'Varnish as a cache'],
  ['faketime', hasFaketime, 'clocks that are wrong'],
  ['python3', () => inPath('python3'), 'the verifier in Python'],
  ['openssl', () => inPath('openssl'), 'certificates'],
  ['xxd', () => inPath('xxd'), 'the commands by which a draw is checked by hand']
]

const missing = () => wanted.filter(([, isHere]) => !isHere())
const names = missing().map(([name]) => name)
if (names.length > 0 && process.getuid?.() === 0 && inPath('apt-get')) {
  // Services that a package would start would take ports and memory.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // A machine that has just started may be updating itself.
  const waits = ['-o', 'DPkg::Lock::Timeout=120']
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
  if (!apt('update', '-q', ...waits) || !apt('install', '-yq', '--no-install-recommends', ...waits, ...names))
    process.exitCode = 1
}
for (const [name, , about] of missing()) process.stdout.write(`skipped: ${about} (${name} is not installed)\n`)
if (process.getuid?.() === 0 && inPath('apt-get') && missing().length > 0) process.exitCode = 1
