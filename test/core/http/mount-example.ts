import Router from '@koa/router'
import Koa from 'koa'
import type { SurfaceRouter } from '../../../core/http/surface-router.ts'

/**
 * An application that somebody has already, with middleware and routes of its own, and in the middle the surfaces of
 * Pantry: what `mount()` gives.
 */
export function createLendingDesk(pantry: SurfaceRouter): Koa {
  // Routes can be added to Pantry itself, as to any @koa/router.
  pantry.get('/desk/{:name}', ctx => {
    ctx.body = { desk: ctx.params['name'] ?? 'front' }
  })

  const own = new Router()
  own.get('/welcome', ctx => {
    ctx.body = 'Welcome to the lending desk.'
  })
  own.get('/api/v1/library/opening-hours', ctx => {
    ctx.body = { open: '9 to 5' }
  })

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
