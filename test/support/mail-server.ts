import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

/** What reached an address. */
type Received = Readonly<{ to: string; text: string }>

type MailServer = Readonly<{
  url: string
  received: Received[]
  refuse: (isRefusing: boolean) => void
  next: (to: string) => Promise<Received>
}>

/** A real mail server on a free port, which keeps what it takes. */
export async function startMailServer(t: Pick<Test, 'teardown'>): Promise<MailServer> {
  const received: Received[] = []
  let isRefusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_, __, done) {
      done(isRefusing ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null)
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) received.push({ to: address, text: Buffer.concat(parts).toString() })
        done()
      })
    }
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(async () => {
    await new Promise<void>(resolve => {
      server.close(resolve)
    })
  })
  const taken = new Set<number>()
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuse: now => {
      isRefusing = now
    },
    async next(to) {
      for (let tried = 0; tried < 4_000; tried += 1) {
        const at = received.findIndex((one, index) => !taken.has(index) && one.to === to)
        if (at >= 0) {
          taken.add(at)
          return received[at] as Received
        }
        await wait(5)
      }
      throw new Error(`Nothing came for ${to}.`)
    }
  }
}
