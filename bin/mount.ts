import { atOnce } from '../core/canonical/slices.ts'
import { joinHooks } from '../core/http/hooks.ts'
import { observeAll, SurfaceRouter } from '../core/http/surface-router.ts'
import { withBaseUrl } from '../core/registry/load.ts'
import { prepare, type Closers, type PrepareOptions } from './prepare.ts'

/** The surfaces of the roots as an @koa/router; `stop` closes everything that was opened for it. */
export type Mounted = SurfaceRouter & Readonly<{ stop: () => Promise<void> }>

/** Opens a service without an HTTP server. Closes everything again if opening fails. */
export async function mount(options: PrepareOptions): Promise<Mounted> {
  const opened: Closers = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const { roots, registry, generationOf, onFault } = await prepare(options, opened)
    const { before, observers } = joinHooks(
      roots.map(({ hooks }) => hooks),
      onFault
    )
    return Object.assign(
      new SurfaceRouter({
        generation: atOnce(generationOf(withBaseUrl(registry, options.config.baseUrl ?? registry.service.base_url))),
        before,
        observe: observeAll(observers)
      }),
      { stop }
    )
  } catch (error) {
    await stop()
    throw error
  }
}
