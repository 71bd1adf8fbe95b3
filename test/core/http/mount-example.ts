import Router from '@koa/router'
import Koa from 'koa'
import type { Generation } from '../../../core/plan/generation.ts'
import { SurfaceRouter } from '../../../core/http/surface-router.ts'

/** An application that somebody has already, with middleware and routes of its own, and with the surfaces of Pantry in the middle. */
export function createLendingDesk (generation: Generation): Koa {
  const pantry = new SurfaceRouter({ generation })
  // Routes can be added to Pantry itself, as to any @koa/router.
  pantry.get('/desk/{:name}', ctx => { ctx.body = { desk: ctx.params['name'] ?? 'front' } })

  const own = new Router()
  own.get('/', ctx => { ctx.body = 'Welcome to the lending desk.' })
  own.get('/api/v1/library/opening-hours', ctx => { ctx.body = { open: '9 to 5' } })

  const app = new Koa()
  app.use(async (ctx, next) => {
    await next()
    ctx.set('X-Desk', `${ctx.status} ${ctx.response.get('Content-Length')}`)
  })
  app.use(pantry.routes())
  app.use(pantry.allowedMethods())
  app.use(own.routes())
  return app
}
