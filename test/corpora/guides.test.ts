// test: slow.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { valueAt } from '../../bin/promises/examples.ts'
import { packageFolder } from '../../bin/roots.ts'
import type { JsonObject } from '../../core/canonical/json.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { makeCallers, type Credentials } from '../support/callers.ts'
import { generationOf, serveGeneration, type Served } from '../support/serve-root.ts'

type Check = Readonly<{
  step?: number
  says?: string
  as?: 'agent' | 'buyer' | 'operator' | 'seller'
  method?: string
  path?: string
  body?: JsonObject
  status: number
  shows?: JsonObject
  lacks?: readonly string[]
  keeps?: Readonly<Record<string, string>>
}>
type Step = Readonly<{ step_number: number; curl: string | null; what_to_look_for: string }>
type Guide = Readonly<{
  slug: string
  steps: readonly Step[]
  checks: readonly Check[]
  see_also: readonly Readonly<{ href: string }>[]
  last_verified: string
}>
type Answer = Readonly<{ status: number; text: string }>
type Values = Record<string, string>

/** With `UPDATE=1` a guide whose checks pass says that they passed today. */
const isUpdate = process.env['UPDATE'] === '1'
const today = new Date().toISOString().slice(0, 10)

/** Runs a command as it is shown. What it leaves in files is a part of its answer. */
async function run(folder: string, command: string, values: Values): Promise<Answer> {
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

/** `$NAME` is a value of an earlier answer, `$IN_2_DAYS` a time. */
const filled = (text: string, values: Values): string =>
  text.replaceAll(
    /\$(?:IN_(\d+)_(DAY|MINUTE)S?|([A-Z_]+))\b/g,
    (whole, count?: string, unit?: string, name?: string) =>
      count === undefined
        ? (values[name ?? ''] ?? whole)
        : new Date(Date.now() + Number(count) * (unit === 'DAY' ? 86_400_000 : 60_000)).toISOString()
  )

/** What a text has in it of JSON: all of it, or what is behind headers or a line that was printed before. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.search(/^\{/m)))
  } catch {
    return undefined
  }
}

/** `data.cards.0` is the first one. */
const placeIn = (json: unknown, place: string): unknown => valueAt(json, `/${place.replaceAll('.', '/')}`)

const codeIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

function hold(t: Test, what: string, { status, shows = {}, lacks = [] }: Check, answer: Answer, values: Values): void {
  t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 600)}`)
  const json = jsonIn(answer.text)
  for (const [place, value] of Object.entries(shows))
    t.strictSame(placeIn(json, place), typeof value === 'string' ? filled(value, values) : value, `${what}: ${place}`)
  for (const place of lacks) t.equal(placeIn(json, place), undefined, `${what}: it lacks ${place}`)
}

async function follow(
  t: Test,
  guide: Guide,
  { url, get, who, folder }: Served & Readonly<{ who: Readonly<Record<string, Credentials>>; folder: string }>
): Promise<void> {
  const { slug, steps, checks, see_also: links } = guide
  const texts = textsIn({ ...guide, checks: [] }).map(text => text.replace(/\.$/, ''))
  t.strictSame(
    checks.flatMap(({ step }) => step ?? []),
    steps.filter(({ curl }) => curl !== null).map(({ step_number: step }) => step),
    'each command is checked once, in their order'
  )
  const values: Values = { ORIGIN: url }
  for (const check of checks) {
    const { step: number, says, as, method = 'GET', path, body, keeps = {} } = check
    const step = steps.find(({ step_number: one }) => one === number)
    if (says !== undefined)
      t.ok(
        texts.some(text => text.includes(says.replace(/\.$/, ''))),
        `the guide says: ${says}`
      )
    let answer: Answer
    let what: string
    if (step === undefined) {
      what = `${says ?? ''} (${as ?? 'anybody'}: ${method} ${path ?? ''})`
      const response = await get(filled(path ?? '', values), {
        method,
        ...(body === undefined ? {} : { body: filled(JSON.stringify(body), values) }),
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...who[as ?? 'anybody'] }
      })
      answer = { status: response.status, text: await response.text() }
    } else {
      what = `step ${number ?? ''}`
      answer = await run(folder, step.curl ?? '', values)
      for (const code of codeIn(step.what_to_look_for).filter(code => !code.startsWith('/')))
        t.ok(answer.text.includes(code), `${what} shows ${code}: ${answer.text.slice(0, 600)}`)
    }
    hold(t, what, check, answer, values)
    for (const [name, place] of Object.entries(keeps)) {
      const value = placeIn(jsonIn(answer.text), place)
      t.type(value, 'string', `${what}: ${place}`)
      values[name] = String(value)
    }
  }
  const checked = new Set(checks.map(({ path = '' }) => path.split('?')[0]))
  const isChecked = (path: string): boolean => checked.has(path.split('?')[0])
  for (const { href } of links) if (!isChecked(href)) t.ok((await get(href)).status < 400, `${href} leads somewhere`)
  for (const path of new Set(texts.flatMap(codeIn).filter(code => code.startsWith('/') && !isChecked(code)))) {
    const { status } = await get(path)
    // It may take another method, or be for those who are signed in.
    t.ok(status < 400 || status === 405 || (status === 401 && path.startsWith('/account/')), `${path}: ${status}`)
  }
  t.ok(guide.last_verified <= today, `${slug} was not verified in the future`)
}

const lacking = ['curl', 'openssl', 'python3'].filter(name => spawnSync(name, ['version']).error !== undefined)
const skip = lacking.length > 0 && `no ${lacking.join(' and no ')}`

t.test('every command of every guide does what it says, and what a guide claims is so', { skip }, async t => {
  const folder = t.testdir({})
  const { url } = await bundledDatabase(t)
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const { all } = await makeCallers(t, url, served)
  const who = {
    anybody: {},
    agent: all['agent key'] ?? {},
    buyer: all['person'] ?? {},
    operator: all['admin'] ?? {},
    seller: all['seller'] ?? {}
  }
  const guides = (served.registry.corpora.get('guides')?.entries ?? []) as unknown as readonly Guide[]
  for (const guide of guides)
    await t.test(guide.slug, async t => {
      await follow(t, guide, { ...served, who, folder })
      if (!isUpdate || !t.passing()) return
      const file = join(packageFolder, 'corpora', 'guides', 'entries', `${guide.slug}.yaml`)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^last_verified: .*$/m, `last_verified: ${today}`))
    })
})
