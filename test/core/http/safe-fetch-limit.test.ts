// test: long
import t from 'tap'
import { safeFetch, type Reach } from '../../../core/http/safe-fetch.ts'
import { otherServer } from '../../support/other-server.ts'

const near: Reach = {
  protocol: 'http:',
  allows: address => address === '127.0.0.1',
  resolve: () => Promise.reject(new Error('No name is known.'))
}

t.test('a request that names no time ends by itself, before an answer and within one', async t => {
  const silent = await otherServer(t, () => undefined)
  const halfway = await otherServer(t, (_, response) => {
    response.writeHead(200).write('a')
  })
  for (const { url } of [silent, halfway]) t.same(await safeFetch(url, {}, near), { state: 'timeout' })
})
