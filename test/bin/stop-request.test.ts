import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { stopRequest } from '../../bin/stop-request.ts'

t.test('a signal that comes twice at once is one request, and a later one has its usual effect', async t => {
  const signals = new EventEmitter()
  const stop = stopRequest(signals)
  t.notOk(stop.aborted)
  t.ok(signals.emit('SIGINT'))
  t.ok(stop.aborted)
  t.ok(signals.emit('SIGINT'), 'npm passes on what the terminal has sent')
  await sleep(700)
  t.notOk(signals.emit('SIGINT'), 'nobody listens: the process ends')
  t.notOk(signals.emit('SIGTERM'))
})

t.test('a second SIGTERM has its usual effect at once', t => {
  const signals = new EventEmitter()
  const stop = stopRequest(signals)
  t.ok(signals.emit('SIGTERM'))
  t.ok(stop.aborted)
  t.notOk(signals.emit('SIGTERM'))
  t.notOk(signals.emit('SIGINT'))
  t.end()
})
