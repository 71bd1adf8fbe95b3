import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Generation } from '../plan/generation.ts'
import { SurfaceRouter, type SurfaceRouterOptions } from './surface-router.ts'

type SurfaceAppOptions = SurfaceRouterOptions &
  Readonly<{
    /** If false, every request goes through the Koa middleware chain; the answers are the same. */
    direct?: boolean
  }>

const done = Promise.resolve()

/**
 * A Koa application that serves only surfaces. If no middleware or routes were added, requests are answered without a
 * Koa context; otherwise all requests go through these and then to the surfaces.
 */
export class SurfaceApp extends Koa {
  readonly router: SurfaceRouter
  readonly #direct: boolean

  constructor({ direct = true, ...options }: SurfaceAppOptions) {
    super()
    this.router = new SurfaceRouter(options)
    this.#direct = direct
  }

  get generation(): Generation {
    return this.router.generation
  }
  set generation(generation: Generation) {
    this.router.generation = generation
  }
  get draining(): boolean {
    return this.router.draining
  }
  set draining(draining: boolean) {
    this.router.draining = draining
  }

  override callback(): ReturnType<Koa['callback']> {
    const isPlain = this.middleware.length === 0 && this.router.stack.length === 0
    this.use(this.router.routes() as Koa.Middleware).use(this.router.unclaimed() as Koa.Middleware)
    if (!this.#direct || !isPlain) return super.callback()
    return (req, res) => {
      this.router.answer(req as IncomingMessage, res as ServerResponse)
      return done
    }
  }
}
