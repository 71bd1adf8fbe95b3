import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { UsageError } from '../../bin/config.ts'
import { packageFolder } from '../../bin/project.ts'
import { Type } from '../../core/canonical/type.ts'
import { readSettings, variablesOf } from '../../bin/settings.ts'
import type { SettingsSchema } from '../../core/database/root-services.ts'
import settings from '../../surfaces/settings.ts'
import { pantry } from '../support/command-line.ts'

const lending: SettingsSchema = Type.Object(
  {
    mostLoans: Type.Integer({ minimum: 1, maximum: 50, default: 6, description: 'How many books one may have.' }),
    isOpen: Type.Boolean({ default: false, description: 'Whether strangers may borrow.' }),
    pressToken: Type.Optional(
      Type.String({ pattern: '^[a-z]{8}$', writeOnly: true, description: 'Signs in to the press.' })
    )
  },
  { additionalProperties: false }
)

t.test('a variable follows from the name of a setting', async t => {
  t.strictSame(variablesOf(lending), [
    { name: 'PANTRY_MOST_LOANS', fallback: '6', meaning: 'How many books one may have.' },
    { name: 'PANTRY_IS_OPEN', fallback: 'false', meaning: 'Whether strangers may borrow.' },
    { name: 'PANTRY_PRESS_TOKEN', fallback: 'none', meaning: 'Signs in to the press.', secret: true }
  ])
})

t.test('what is given goes before the environment, and the environment before the default', async t => {
  t.strictSame(readSettings(lending, {}), { mostLoans: 6, isOpen: false })
  t.strictSame(readSettings(lending, { PANTRY_MOST_LOANS: '', PANTRY_IS_OPEN: 'true' }), { mostLoans: 6, isOpen: true })
  t.strictSame(readSettings(lending, { PANTRY_MOST_LOANS: '7' }, { mostLoans: 8 }), { mostLoans: 8, isOpen: false })
})

/** The sentence of a refusal. */
function refusal(schema: SettingsSchema, env: Readonly<Record<string, string>>): string {
  try {
    readSettings(schema, env)
    return 'it was taken'
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

t.test('a setting that cannot be is refused by its variable, and a secret is not repeated', async t => {
  t.equal(
    refusal(lending, { PANTRY_MOST_LOANS: 'many' }),
    'PANTRY_MOST_LOANS must be an integer from 1 to 50, but this is a text.'
  )
  t.equal(refusal(lending, { PANTRY_MOST_LOANS: '51' }), 'PANTRY_MOST_LOANS is 51, but must be from 1 to 50.')
  t.match(refusal(lending, { PANTRY_IS_OPEN: 'yes' }), /^PANTRY_IS_OPEN must be `true` or `false`/)
  t.equal(
    refusal(lending, { PANTRY_PRESS_TOKEN: 's3cr3t' }),
    'PANTRY_PRESS_TOKEN does not have the form that it must have.'
  )
  t.match(
    refusal(settings, { PANTRY_SMTP_URL: 'https://me:s3cr3t@mail.example' }),
    /^PANTRY_SMTP_URL does not have the form that it must have, such as `smtps:\/\/user:password@mail/
  )
  t.match(refusal(settings, { PANTRY_SIGN_UP: 'all' }), /^PANTRY_SIGN_UP must be one of closed, invite, open, but/)
  t.equal(refusal(settings, { PANTRY_SIGN_UP: 'open' }), 'PANTRY_SMTP_URL must be set, because PANTRY_SIGN_UP is open.')
  t.match(readSettings(settings, { PANTRY_SIGN_UP: 'open', PANTRY_SMTP_URL: 'smtp://mail.example' }), {
    signUp: 'open',
    drawsADay: 10_000
  })
})

t.test('a service of its own has what it declares in `pantry config`, and none of the card service', async t => {
  const root = join(t.testdir(), 'lending')
  cpSync(join(packageFolder, 'test/fixture/library'), root, { recursive: true })
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(root, 'surfaces/settings.js'), `export default ${JSON.stringify(lending)}\n`)
  const { code, stdout } = await pantry(['config', '--root', root], {
    PANTRY_MOST_LOANS: '9',
    PANTRY_PRESS_TOKEN: 'abcdefgh'
  })
  t.equal(code, 0)
  t.match(stdout, /^PANTRY_MOST_LOANS +9 +environment +How many books one may have\.$/m)
  t.match(stdout, /^PANTRY_PRESS_TOKEN +\*\*\* +environment /m)
  t.notMatch(stdout, /PANTRY_SIGN_UP|PANTRY_DRAWS_A_DAY|catalogue|\bcards?\b/i)
  const wrong = await pantry(['config', '--root', root], { PANTRY_MOST_LOANS: '0' })
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /PANTRY_MOST_LOANS is 0, but must be from 1 to 50/)
})
