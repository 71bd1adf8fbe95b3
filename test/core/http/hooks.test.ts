import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { SurfaceApp } from '../../../core/http/server.ts'
import { generationOf, library } from '../../support/serve-root.ts'
import { serveKoa } from '../../support/serve-koa.ts'

for (const direct of [true, false])
  t.test(`an answer that a hook has taken over and leaves is ended (direct: ${direct})`, async t => {
    const told: unknown[] = []
    const seen: (readonly [string, number])[] = []
    let left: ServerResponse | undefined
    const generation = await generationOf(t, [library], { faults: told })
    const app = new SurfaceApp({
      generation,
      direct,
      beforeSeconds: 0.2,
      observers: [
        ({ request: { path }, status }) => {
          seen.push([path, status])
        }
      ],
      before(req, res) {
        if (req.url === '/begun') res.write('half')
        if (req.url === '/drip')
          void (async () => {
            for (let at = 0; at < 4; at++) {
              await sleep(150)
              res.write('.')
            }
            res.end()
          })()
        left = res
        return req.url !== '/api/v1/'
      }
    })
    const url = await serveKoa(t, app)
    const silent = await fetch(`${url}/left`)
    t.match([silent.status, silent.headers.get('connection'), silent.headers.get('retry-after')], [503, 'close', '1'])
    t.match(await silent.json(), { error: { code: 'SOURCE_UNAVAILABLE', message: /longer than 0\.2 s/ } })
    t.doesNotThrow(() => {
      left?.setHeader('X-Late', '1')
      left?.writeHead(200).write('too')
      left?.end('late')
    }, 'what the hook does then has no effect')
    await t.rejects((await fetch(`${url}/begun`)).text(), 'what was begun is cut')
    t.equal(await (await fetch(`${url}/drip`)).text(), '....', 'what moves is not')
    t.equal((await fetch(`${url}/api/v1/`)).status, 200)
    t.match(
      told.map(String),
      Array.from({ length: 2 }, () => /`before` has taken a request/)
    )
    t.same(seen.slice(0, 3), [
      ['/left', 503],
      ['/begun', 200],
      ['/drip', 200]
    ])
  })
