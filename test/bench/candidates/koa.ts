/** Plain Koa with @koa/router: handlers that build an object, as most services are written. */
import { createHash } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import { findCard } from './cards.ts'
import { exampleOf, headersOf, nextId, otherPaths, parsed, report, sample, stamped } from './common.ts'

const app = new Koa()
const router = new Router()
for (const path of otherPaths)
  router.get(path, ctx => {
    ctx.body = { path }
  })

const tagOf = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64')

for (const answered of sample.fixed) {
  const documents = parsed(answered)
  router.get(answered.route, ctx => {
    const id = nextId()
    const body = stamped(documents.get((ctx['params'] as { key?: string }).key ?? '') ?? {}, id)
    ctx.set(headersOf(answered, ctx.path, id))
    ctx.etag = tagOf(body['data'])
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = body
  })
}
router.get(sample.card.route, async ctx => {
  const found = await findCard((ctx['params'] as { key: string }).key)
  if (found === undefined) return
  ctx.set(headersOf(sample.card, ctx.path, nextId()))
  ctx.set('ETag', found.etag)
  ctx.body = found.document
})
app.use(router.routes())
const missing = exampleOf(sample.missing)
app.use(ctx => {
  if (ctx.status !== 404) return
  const id = nextId()
  ctx.set(headersOf(sample.missing, ctx.path, id))
  ctx.status = 404
  ctx.body = stamped(missing, id, ctx.path)
})
const server = app.listen(0, '127.0.0.1', () => {
  report(server)
})
