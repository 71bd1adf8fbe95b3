// test: slow.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { tryClaims } from '../../bin/promises/claims.ts'
import { runCommand } from '../../bin/promises/run-command.ts'
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

const codeIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

async function follow(t: Test, text: ClaimedText, { asks, get, url }: Asked): Promise<void> {
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
      const answer = await runCommand(command, { ORIGIN: url, ...values })
      for (const code of codeIn(step?.what_to_look_for ?? '').filter(code => !code.startsWith('/')))
        t.ok(answer?.text.includes(code), `${command} shows ${code}: ${answer?.text.slice(0, 600) ?? ''}`)
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
  const asked = await serveAsked(t)
  const guides = asked.texts.filter(({ id }) => id.startsWith('corpora/guides/'))
  t.equal(guides.length, asked.registry.corpora.get('guides')?.entries.length, 'every guide has claims')
  for (const guide of guides)
    await t.test(guide.id, async t => {
      await follow(t, guide, asked)
      if (!isUpdate || !t.passing()) return
      const file = join(packageFolder, guide.id.replace('guides/', 'guides/entries/') + '.yaml')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^last_verified: .*$/m, `last_verified: ${today}`))
    })
})
