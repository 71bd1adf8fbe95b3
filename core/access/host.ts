import { urlOf } from '../canonical/url.ts'

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether an origin or address is of this machine alone. */
export const isLocal = (url: string): boolean => loopback.test(urlOf(url)?.hostname ?? '')

/**
 * Whether a request that names `host` is for a service that says it answers at `baseUrl`. On this machine another name
 * is foreign: whoever owns it can lead it here, and has a browser ask under it (DNS rebinding). Elsewhere a gateway may
 * change it.
 */
export const isOwnHost = (host: string | readonly string[] | undefined, baseUrl: string): boolean =>
  host === undefined || !isLocal(baseUrl) || isLocal(`http://${String(host)}`)
