/** Plain Koa with @koa/router: handlers that build an object, as most services are written. */
import { createHash } from 'node:crypto'
import Router from '@koa/router'
import knexFactory from 'knex'
import Koa from 'koa'
import { cardFrom, cardQuery, keyOf, otherPaths, report, routePattern, sample, stamped } from './common.ts'

const app = new Koa()
const router = new Router()
for (const path of otherPaths) router.get(path, ctx => { ctx.body = { path } })
const knex = knexFactory({ client: 'pg', connection: sample.databaseUrl, pool: { min: 2, max: 10 } })

if (sample.scenario === 'card') {
  router.get(routePattern, async ctx => {
    const row = await knex('cards as c').join('sets as s', 's.id', 'c.set_id').join('games as g', 'g.token', 'c.game').where('c.sku', keyOf(ctx.path)).first<Record<string, unknown>>(cardQuery)
    ctx.body = cardFrom(row)
  })
} else if (sample.scenario !== 'missing') {
  router.get(routePattern, ctx => {
    const body = stamped(keyOf(ctx.path))
    if (sample.etag !== null) {
      ctx.etag = createHash('sha1').update(JSON.stringify(body['data'])).digest('base64')
      ctx.status = 200
      if (ctx.headers['if-none-match'] !== undefined) {
        ctx.status = 304
        return
      }
    }
    ctx.body = body
  })
}
app.use(async (ctx, next) => {
  for (const [name, value] of sample.headers) if (!/^(etag|content-type)$/i.test(name)) ctx.set(name, value)
  await next()
})
app.use(router.routes())
app.use(ctx => {
  if (ctx.body !== undefined || ctx.status === 304) return
  ctx.status = 404
  ctx.body = stamped('')
})
const server = app.listen(0, '127.0.0.1', () => { report(server) })
