// test: slow.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { followChecks, serveAsked, textsIn, type Asked, type Check, type Values } from '../support/follow-checks.ts'

type Step = Readonly<{ step_number: number; curl: string | null; what_to_look_for: string }>
type Guide = Readonly<{
  slug: string
  steps: readonly Step[]
  checks: readonly Check[]
  see_also: readonly Readonly<{ href: string }>[]
  last_verified: string
}>

/** With `UPDATE=1` a guide whose checks pass says that they passed today. */
const isUpdate = process.env['UPDATE'] === '1'
const today = new Date().toISOString().slice(0, 10)

/** Runs a command as it is shown. What it leaves in files is a part of its answer. */
async function run(
  folder: string,
  command: string,
  values: Values
): Promise<Readonly<{ status: number; text: string }>> {
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

async function follow(t: Test, guide: Guide, asked: Asked, folder: string): Promise<void> {
  const { slug, steps, checks, see_also: links, last_verified: verified } = guide
  const texts = textsIn({ ...guide, checks: [] })
  t.strictSame(
    checks.flatMap(({ step }) => step ?? []),
    steps.filter(({ curl }) => curl !== null).map(({ step_number: step }) => step),
    'each command is checked once, in their order'
  )
  await followChecks(t, texts, checks, asked, async (number, values) => {
    const step = steps.find(({ step_number: one }) => one === number)
    const answer = await run(folder, step?.curl ?? '', values)
    for (const code of codeIn(step?.what_to_look_for ?? '').filter(code => !code.startsWith('/')))
      t.ok(answer.text.includes(code), `step ${number} shows ${code}: ${answer.text.slice(0, 600)}`)
    return answer
  })
  const checked = new Set(checks.map(({ path = '' }) => path.split('?')[0]))
  const isChecked = (path: string): boolean => checked.has(path.split('?')[0])
  for (const { href } of links)
    if (!isChecked(href)) t.ok((await asked.get(href)).status < 400, `${href} leads somewhere`)
  for (const path of new Set(texts.flatMap(codeIn).filter(code => code.startsWith('/') && !isChecked(code)))) {
    const { status } = await asked.get(path)
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
  const guides = (asked.registry.corpora.get('guides')?.entries ?? []) as unknown as readonly Guide[]
  t.ok(guides.length > 0)
  for (const guide of guides)
    await t.test(guide.slug, async t => {
      await follow(t, guide, asked, folder)
      if (!isUpdate || !t.passing()) return
      const file = join(packageFolder, 'corpora', 'guides', 'entries', `${guide.slug}.yaml`)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^last_verified: .*$/m, `last_verified: ${today}`))
    })
})
