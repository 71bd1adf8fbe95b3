// Begins as a user does: in a fresh clone, with one of the two commands of the README. `start` or `test`.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const project = resolve(import.meta.dirname, '..')
const parent = mkdtempSync(join(tmpdir(), 'pantry-first-'))
// As root the database runs as another user, who must be able to enter.
chmodSync(parent, 0o755)
const clone = join(parent, 'pantry')
const say = text => {
  process.stdout.write(`${text}\n`)
}

/** Without what this process was given by npm or by the steps around it. */
const environment = Object.fromEntries(
  Object.entries({ ...process.env, PORT: '0' }).filter(
    ([name]) => !name.startsWith('npm_') && name !== 'INIT_CWD' && !name.startsWith('PANTRY_POSTGRES')
  )
)

function cloned() {
  execFileSync('git', ['clone', '--quiet', '--no-local', project, clone], { stdio: ['ignore', 'inherit', 'inherit'] })
  // Tests of real card data find the folder beside a checkout.
  const shared = resolve(project, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(parent, 'shared'))
}

/** `npm ci && npm start` until the first card answers, then SIGTERM; it must end with 0. */
async function start() {
  const service = spawn('bash', ['-c', 'npm ci && exec npm start'], {
    cwd: clone,
    env: { ...environment, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true
  })
  let said = ''
  service.stdout.on('data', text => {
    said += text
    process.stdout.write(text)
  })
  const ended = new Promise(resolve => {
    service.on('exit', (code, signal) => {
      resolve(code ?? signal)
    })
  })
  const until = async (what, find) => {
    for (let tries = 0; tries < 1200; tries++) {
      const found = await find()
      if (found !== undefined) return found
      const code = await Promise.race([ended.then(code => ({ code })), sleep(250)])
      if (code !== undefined) throw new Error(`It ended with ${code.code} before ${what}.`)
    }
    throw new Error(`Nothing came of waiting for ${what}.`)
  }
  try {
    const url = await until('it listened', () => /^listening on (\S+)$/m.exec(said)?.[1])
    const card = await until('a card answered', async () => {
      const response = await fetch(`${url}/api/v1/universal/card/op-op01-001-en`).catch(() => undefined)
      return response?.status === 200 ? await response.json() : undefined
    })
    say(`a card: ${card.sku}`)
    service.kill('SIGTERM')
    const code = await Promise.race([ended, sleep(20_000, 'nothing for 20 s')])
    if (code !== 0) throw new Error(`After SIGTERM \`npm start\` ended with ${code}.`)
  } finally {
    // What npm started as well.
    try {
      process.kill(-service.pid, 'SIGKILL')
    } catch {
      /* All of it has ended. */
    }
  }
}

try {
  cloned()
  if (process.argv[2] === 'start') await start()
  else
    process.exitCode =
      spawnSync('bash', ['-c', 'npm ci && npm test'], {
        cwd: clone,
        env: environment,
        stdio: ['ignore', 'inherit', 'inherit']
      }).status ?? 1
} catch (error) {
  say(error.message)
  process.exitCode = 1
} finally {
  rmSync(parent, { recursive: true, force: true })
}
