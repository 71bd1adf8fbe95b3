import t from 'tap'
import { Mail } from '../../../surfaces/people/mail.ts'
import { startMailServer } from '../../support/mail-server.ts'

const told: string[] = []
const tell = (facts: Readonly<Record<string, unknown>>, message: string): void => {
  told.push(JSON.stringify(facts) + message)
}
const log = { debug: tell, info: tell, warn: tell, error: tell }
const message = { to: 'canary-of-mail@example.org', subject: 'Your code', text: 'AAAAA-AAAAA' }

t.test('without a server nothing is sent, and that is no fault', async t => {
  const mail = new Mail(undefined, 'desk@example.org', log)
  t.equal(mail.isSet, false)
  mail.send(message)
  t.match(await mail.health(), { status: 'ok' })
  await mail.close()
})

t.test('health tells of a server that is there, and of one that is not', async t => {
  const server = await startMailServer(t)
  const [there, away] = [
    new Mail(server.url, 'desk@example.org', log),
    new Mail('smtp://127.0.0.1:1', 'desk@example.org', log)
  ]
  t.match(await there.health(), { status: 'ok' })
  t.match(await away.health(), { status: 'degraded', detail: /ECONNREFUSED|ESOCKET/ })
  await Promise.all([there.close(), away.close()])
})

t.test('nothing of a message is read before the answer that asked for it has gone', async t => {
  const server = await startMailServer(t)
  const mail = new Mail(server.url, 'desk@example.org', log)
  let isRead = false
  mail.send({
    ...message,
    get text() {
      isRead = true
      return 'x'
    }
  })
  t.equal(isRead, false)
  await server.next(message.to)
  t.equal(isRead, true)
  await mail.close()
})

t.test(
  'a message that is refused is sent again, and given up after that; no address and no code is in the log',
  async t => {
    const server = await startMailServer(t)
    const mail = new Mail(server.url, 'desk@example.org', log, [0.01, 0.01])
    server.refuse(true)
    mail.send(message)
    await mail.close()
    const before = told.length
    t.ok(before > 0)
    const patient = new Mail(server.url, 'desk@example.org', log, [0.05, 0.05])
    patient.send(message)
    setTimeout(() => {
      server.refuse(false)
    }, 20)
    t.match((await server.next(message.to)).text, /AAAAA-AAAAA/)
    await patient.close()
    t.equal(server.received.length, 1, 'once')
    t.notMatch(told.join('\n'), /canary|AAAAA/)
  }
)
