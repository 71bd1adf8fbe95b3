import fc from 'fast-check'
import t from 'tap'
import { HostListError, readHostList } from '../../../core/database/host-list.ts'

const urlsOf = (url: string, role: 'primary' | 'replica' = 'primary') =>
  readHostList(url, role).map(({ name, target }) => [name, 'url' in target ? target.url : ''])
const faultOf = (url: string, role: 'primary' | 'replica' = 'primary'): string => {
  try {
    readHostList(url, role)
    return 'none'
  } catch (error) {
    if (!(error instanceof HostListError)) throw error
    return error.message
  }
}

t.test('several servers share account, database and parameters', t => {
  t.same(urlsOf('postgres://u:p@one:5433,two,[::1]:9/db?sslmode=require&target_session_attrs=read-write'), [
    ['one:5433', 'postgres://u:p@one:5433/db?sslmode=require'],
    ['two:5432', 'postgres://u:p@two/db?sslmode=require'],
    ['[::1]:9', 'postgres://u:p@[::1]:9/db?sslmode=require']
  ])
  t.same(
    urlsOf('postgresql://%2Frun%2Fa,%2Frun%2Fb:7/db').map(([name]) => name),
    ['%2frun%2fa:5432', '%2frun%2fb:7']
  )
  t.end()
})

t.test('one server stays as it is written, and has the same name in every list', t => {
  for (const url of [
    'postgres://u@h/db',
    'postgres://h:1/db?a=b',
    'postgres:///db?host=/run/x',
    'postgresql://u@%2Frun%2Fpg:5433/db?target_session_attrs=any'
  ])
    t.equal(urlsOf(url)[0]?.[1], url)
  t.equal(urlsOf('postgres://a:b@H:1/db')[0]?.[0], urlsOf('postgres://other@x,h:1/db')[1]?.[0])
  t.equal(urlsOf('postgres://h/db')[0]?.[0], 'h:5432')
  t.equal(urlsOf('postgres:///db?host=/run/x')[0]?.[0], '/run/x:5432')
  t.end()
})

t.test('what cannot be read is named without the password', t => {
  t.match(faultOf('mysql://u:secret@h/db'), /must start with postgres/)
  t.match(faultOf('postgres://u:secret@one,,two/db'), /number 2/)
  t.match(faultOf('postgres://u:secret@one:0,two/db'), /number 1/)
  t.match(faultOf('postgres://u:secret@one,two:65536/db'), /number 2/)
  t.match(faultOf('postgres://u:secret@one,ONE:5432/db'), /each server once/)
  t.match(faultOf('postgres://u:secret@/db?host=one,two'), /`host`/)
  t.match(
    faultOf('postgres://u:secret@one,two/db?target_session_attrs=standby'),
    /any, read-write, primary, prefer-standby/
  )
  t.match(
    faultOf('postgres://u:secret@one,two/db?target_session_attrs=read-write', 'replica'),
    /any, read-only, standby, prefer-standby/
  )
  t.end()
})

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const host = fc.record({ name: word, port: fc.option(fc.integer({ min: 1, max: 65535 })) })

t.test('any list is read back as it was written, and no text at all is told with its password', t => {
  fc.assert(
    fc.property(
      fc.uniqueArray(host, { minLength: 2, maxLength: 5, selector: ({ name }) => name }),
      fc.string(),
      word,
      (hosts, password, name) => {
        const account = `u:${encodeURIComponent(password)}@`
        const read = urlsOf(
          `postgres://${account}${hosts.map(({ name, port }) => (port === null ? name : `${name}:${port}`)).join(',')}/${name}`
        )
        return (
          read.every(([label, url], at) => {
            const { name: one = '', port = null } = hosts[at] ?? {}
            return (
              label === `${one}:${port ?? 5432}` &&
              url === `postgres://${account}${one}${port === null ? '' : `:${port}`}/${name}`
            )
          }) && read.length === hosts.length
        )
      }
    )
  )
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('', 'postgres://u:verysecret@', 'postgres://'),
      (text, start) => !faultOf(`${start}${text}`).includes('verysecret')
    )
  )
  t.end()
})
