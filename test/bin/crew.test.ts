import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import t from 'tap'
import { createWorkerPool } from '../../bin/workers/front.ts'
import { eventually } from '../support/eventually.ts'

t.test(
  'a message that could not be sent to a worker ends neither the main process nor the watch over the worker',
  async t => {
    const lost: string[] = []
    const crew = createWorkerPool({
      size: 1,
      begin: member => member.ask('answer', undefined),
      lost: (_member, cause) => {
        lost.push(cause)
      },
      failed: error => {
        t.fail(String(error))
      }
    })
    t.teardown(() => crew.stop(1_000))
    await crew.start()
    const [first] = crew.serving
    // Node says so of its own messages when a worker is killed in the wrong moment.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.emit('error', new Error('write EPIPE'))
    await first?.ask('answer', undefined)
    first?.kill()
    await eventually(() => {
      assert.deepEqual(lost, ['SIGKILL'])
      assert.ok(crew.serving.size === 1 && first !== undefined && !crew.serving.has(first))
    })
  }
)
