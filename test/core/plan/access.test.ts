import t from 'tap'
import { anonymous, type Caller } from '../../../core/access/access.ts'
import { accessTable, isOpen, type Access } from '../../../core/access/index.ts'
import { gate as gateWith } from '../../../core/plan/access.ts'

/** Access kinds of the framework, and one that a service declares. */
const accessModules = accessTable({ 'wholesale-key': { meaning: 'a wholesale partner with a key', credential: { name: 'wholesaleKey', challenge: 'Bearer', scheme: {} } } })
const accessKinds = Object.keys(accessModules)
const credentialOf = (access: Access) => accessModules[access]?.credential
const gate = (access: Access, caller: Caller): void => { gateWith(access, accessModules[access]!, caller) }

const holder = (access: Access, ...grants: string[]): Caller => ({ credential: credentialOf(access)?.name ?? '', grants })

t.test('an anonymous caller is let into what is open, and asked for the right credential elsewhere', async t => {
  t.same(accessKinds.filter(isOpen), ['public'])
  for (const access of accessKinds) {
    const credential = credentialOf(access)
    if (credential === undefined) t.doesNotThrow(() => { gate(access, anonymous) }, access)
    else t.throws(() => { gate(access, anonymous) }, { code: 'UNAUTHORIZED', status: 401, details: { access }, headers: { 'WWW-Authenticate': `${credential.challenge} realm="pantry"` } }, access)
  }
})

t.test('a credential of another kind is no credential: a session is never an agent, a key never a person', async t => {
  for (const access of accessKinds.filter(one => !isOpen(one))) {
    for (const other of accessKinds.filter(one => !isOpen(one))) {
      if (credentialOf(other) === credentialOf(access)) continue
      t.throws(() => { gate(access, holder(other, 'admin')) }, { code: 'UNAUTHORIZED', status: 401 }, `${other} asks for ${access}`)
    }
  }
})

t.test('a caller with the credential and without the grant is refused by name', async t => {
  t.doesNotThrow(() => { gate('user', holder('user')) })
  t.throws(() => { gate('admin', holder('user')) }, { code: 'FORBIDDEN', status: 403, details: { access: 'admin' }, headers: {} })
  t.doesNotThrow(() => { gate('admin', holder('user', 'admin')) })
  t.doesNotThrow(() => { gate('agent', holder('agent')) })
  t.doesNotThrow(() => { gate('public', holder('wholesale-key')) }, 'a key takes nothing away')
})
