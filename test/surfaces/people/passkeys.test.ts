import t from 'tap'
import { maxPasskeys, Passkeys } from '../../../surfaces/people/passkeys.ts'
import { Secrets } from '../../../surfaces/common/secrets.ts'
import { People } from '../../../surfaces/people/people.ts'
import { SignIn } from '../../../surfaces/people/sign-in.ts'
import { authenticator } from '../../support/authenticator.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t)
const [people, signIn, passkeys] = [new People(database), new SignIn(database), new Passkeys(database)]
const service = { name: 'Pantry', base_url: 'http://127.0.0.1:8080' }
const here = { origin: 'http://localhost:8080', rpId: 'localhost' }

const person = async (name: string): Promise<string> => (await people.add(name, [])).id
const making = async (id: string): Promise<string> =>
  (await passkeys.registrationOptions({ id, username: 'name' }, service)).challenge
const asking = async (): Promise<string> => (await passkeys.signInOptions(service)).challenge

t.test('a passkey is made by its person, signs in once for each challenge, and is shown without its key', async t => {
  const [id, device] = [await person('ada'), authenticator()]
  t.match(await passkeys.registrationOptions({ id, username: 'ada' }, service), {
    rp: { id: 'localhost' },
    user: { name: 'ada' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' }
  })
  t.equal(await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await making(id) }), service), true)
  const [own] = await passkeys.of(id)
  t.match(own, { name: 'Phone', last_used_on: null })
  t.same(Object.keys(own ?? {}).sort(), ['created_at', 'id', 'last_used_on', 'name'])
  const asserted = device.get({ ...here, challenge: await asking() })
  t.equal(await passkeys.verify(asserted, service), id)
  t.equal(await passkeys.verify(asserted, service), undefined, 'a replay')
  t.equal((await passkeys.of(id))[0]?.last_used_on, new Date().toISOString().slice(0, 10))
  t.equal((await signIn.begin(id))?.person, id)
  t.equal((await passkeys.registrationOptions({ id, username: 'ada' }, service)).excludeCredentials?.length, 1)
})

t.test('of many answers to one challenge at once, one holds', async t => {
  const [id, device] = [await person('races'), authenticator()]
  await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await making(id) }), service)
  const asserted = device.get({ ...here, challenge: await asking() })
  const ended = await Promise.all(Array.from({ length: 8 }, async () => await passkeys.verify(asserted, service)))
  t.equal(ended.filter(one => one === id).length, 1)
})

t.test('of many new passkeys at once, no more are kept than a person may have', async t => {
  const id = await person('collector')
  await database
    .knex('passkeys')
    .insert(
      Array.from({ length: maxPasskeys - 1 }, (_, index) => ({
        person: id,
        credential: `made-up-${index}`,
        public_key: Buffer.of(1),
        counter: 0,
        name: 'x'
      }))
    )
  const made = await Promise.all(
    Array.from({ length: 8 }, async () => authenticator().create({ ...here, challenge: await making(id) }))
  )
  const kept = await Promise.all(made.map(async response => await passkeys.register(id, 'Phone', response, service)))
  t.equal(kept.filter(Boolean).length, 1)
  t.equal((await passkeys.of(id)).length, maxPasskeys)
})

t.test('what does not hold is refused', async t => {
  const [id, other, device] = [await person('grace'), await person('mallory'), authenticator()]
  t.equal(
    await passkeys.register(other, 'Phone', device.create({ ...here, challenge: await making(id) }), service),
    false,
    'a challenge of somebody else'
  )
  t.equal(
    await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await asking() }), service),
    false,
    'a challenge to sign in'
  )
  t.equal(
    await passkeys.register(
      id,
      'Phone',
      device.create({ ...here, origin: 'https://evil.example', challenge: await making(id) }),
      service
    ),
    false,
    'a page of another site'
  )
  t.equal(
    await passkeys.register(
      id,
      'Phone',
      device.create({ ...here, rpId: 'evil.example', challenge: await making(id) }),
      service
    ),
    false,
    'for another site'
  )
  t.equal(
    await passkeys.register(id, 'Phone', device.create({ ...here, challenge: 'AAAA' }), service),
    false,
    'no challenge of ours'
  )
  t.equal(await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await making(id) }), service), true)
  t.equal(
    await passkeys.register(other, 'Phone', device.create({ ...here, challenge: await making(other) }), service),
    false,
    'a passkey of somebody'
  )
  const refused = {
    'a challenge to make one': device.get({ ...here, challenge: await making(id) }),
    'another site': device.get({ ...here, origin: 'http://127.0.0.1:8080', challenge: await asking() }),
    'for another site': device.get({ ...here, rpId: 'evil.example', challenge: await asking() }),
    'without its user': device.get({ ...here, challenge: await asking() }, 0x01),
    'a stranger': authenticator().get({ ...here, challenge: await asking() }),
    'no client data': {
      ...device.get({ ...here, challenge: await asking() }),
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
    }
  }
  for (const [name, asserted] of Object.entries(refused))
    t.equal(await passkeys.verify(asserted, service), undefined, name)
  const [random = '', end = ''] = Buffer.from(await asking(), 'base64url')
    .toString()
    .split('.')
  const sealed = async (until: number): Promise<string> => {
    const said = `${random}.${until.toString(36)}`
    return Buffer.from(`${said}.${await new Secrets(database).sealOf('challenges', `${said} `)}`).toString('base64url')
  }
  t.equal(
    await passkeys.verify(device.get({ ...here, challenge: await sealed(Number.parseInt(end, 36)) }), service),
    id
  )
  const late = await sealed(Math.floor(Date.now() / 1000) - 1)
  const longer = Buffer.from(
    `${random}.zzzzzz.${
      Buffer.from(await asking(), 'base64url')
        .toString()
        .split('.')[2] ?? ''
    }`
  ).toString('base64url')
  t.equal(
    await passkeys.verify(device.get({ ...here, challenge: longer }), service),
    undefined,
    'an end that was changed'
  )
  t.equal(await passkeys.verify(device.get({ ...here, challenge: late }), service), undefined, 'too late')
})

t.test('a copy that counts backwards is refused', async t => {
  const [id, device] = [await person('copied'), authenticator()]
  await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await making(id) }), service)
  await database.knex('passkeys').where({ person: id }).update({ counter: 1000 })
  t.equal(await passkeys.verify(device.get({ ...here, challenge: await asking() }), service), undefined)
})

t.test(
  'codes that were tried too often lock out no passkey; a suspended person does not sign in; who leaves leaves none',
  async t => {
    const [id, device] = [await person('locked'), authenticator()]
    await passkeys.register(id, 'Phone', device.create({ ...here, challenge: await making(id) }), service)
    await signIn.issueCode(id)
    for (let tried = 0; tried < 7; tried += 1) await signIn.withCode('locked', 'WRONG-WRONG')
    t.equal(await passkeys.verify(device.get({ ...here, challenge: await asking() }), service), id)
    await people.setSuspended(id, true)
    t.equal(await signIn.begin(id), undefined)
    await people.setSuspended(id, false)
    t.equal(await passkeys.remove(await person('nosy'), (await passkeys.of(id))[0]?.id ?? ''), false)
    await people.leave(id)
    t.equal(await passkeys.verify(device.get({ ...here, challenge: await asking() }), service), undefined)
    t.same(await database.knex('passkeys').where({ person: id }), [])
  }
)
