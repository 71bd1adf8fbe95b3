// test: slow.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { tryClaims, type ClaimAnswer, type Values } from '../../bin/promises/claims.ts'
import { packageFolder } from '../../bin/roots.ts'
import { textsIn, type ClaimedText } from '../../core/registry/claims.ts'
import { serveAsked, type Asked } from '../support/serve-asked.ts'

type Guide = Readonly<{
  slug: string
  steps: readonly Readonly<{ curl: string | null; what_to_look_for: string }>[]
  see_also: readonly Readonly<{ href: string }>[]
  last_verified: string
}>

/** With `UPDATE=1` a guide whose claims hold says that they held today. */
const isUpdate = process.env['UPDATE'] === '1'
const today = new Date().toISOString().slice(0, 10)

/** Runs a command as it is shown. What it leaves in files is a part of its answer. */
async function run(folder: string, command: string, values: Values): Promise<ClaimAnswer> {
  const cwd = mkdtempSync(join(folder, 'command-'))
  const script = `curl() { command curl -w '%{stderr}\\n%{http_code}\\n' "$@"; }\n${command}`
  const { stdout, stderr } = await new Promise<Readonly<{ stdout: string; stderr: string }>>((resolve, reject) => {
    execFile('sh', ['-c', script], { cwd, env: { ...process.env, ...values } }, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr })
      else reject(new Error(`${command}\n${stderr}`, { cause: error }))
    })
  })
  const files = readdirSync(cwd).map(name => readFileSync(join(cwd, name), 'utf8'))
  return { status: Number(stderr.trim().split('\n').at(-1)), text: [stdout, ...files].join('') }
}

const codeIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

async function follow(t: Test, text: ClaimedText, { asks, get, url }: Asked, folder: string): Promise<void> {
  const guide = text.value as Guide
  const { slug, steps, see_also: links, last_verified: verified } = guide
  t.strictSame(
    text.claims.flatMap(({ runs }) => runs ?? []),
    steps.flatMap(({ curl }, index) => (curl === null ? [] : [`/steps/${index}/curl`])),
    'each command is run once, in their order'
  )
  const { broken, untried } = await tryClaims(text, {
    ...asks,
    run: async (command, values) => {
      const step = steps.find(({ curl }) => curl === command)
      const answer = await run(folder, command, { ORIGIN: url, ...values })
      for (const code of codeIn(step?.what_to_look_for ?? '').filter(code => !code.startsWith('/')))
        t.ok(answer.text.includes(code), `${command} shows ${code}: ${answer.text.slice(0, 600)}`)
      return answer
    }
  })
  t.strictSame(
    broken.map(({ message }) => message),
    []
  )
  t.equal(untried, 0)
  const asked = new Set(text.claims.map(({ path = '' }) => path.split('?')[0]))
  const isAsked = (path: string): boolean => asked.has(path.split('?')[0])
  for (const { href } of links) if (!isAsked(href)) t.ok((await get(href)).status < 400, `${href} leads somewhere`)
  for (const path of new Set(
    textsIn(guide)
      .flatMap(codeIn)
      .filter(code => code.startsWith('/') && !isAsked(code))
  )) {
    const { status } = await get(path)
    // It may take another method, or be for those who are signed in.
    t.ok(status < 400 || status === 405 || (status === 401 && path.startsWith('/account/')), `${path}: ${status}`)
  }
  t.ok(verified <= today, `${slug} was not verified in the future`)
}

const lacking = ['curl', 'openssl', 'python3'].filter(name => spawnSync(name, ['--version']).error !== undefined)
const skip = lacking.length > 0 && `no ${lacking.join(' and no ')}`

t.test('every command of every guide does what it says, and what a guide claims is so', { skip }, async t => {
  const folder = t.testdir({})
  const asked = await serveAsked(t)
  const guides = asked.texts.filter(({ id }) => id.startsWith('corpora/guides/'))
  t.equal(guides.length, asked.registry.corpora.get('guides')?.entries.length, 'every guide has claims')
  for (const guide of guides)
    await t.test(guide.id, async t => {
      await follow(t, guide, asked, folder)
      if (!isUpdate || !t.passing()) return
      const file = join(packageFolder, guide.id.replace('guides/', 'guides/entries/') + '.yaml')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^last_verified: .*$/m, `last_verified: ${today}`))
    })
})
