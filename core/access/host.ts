import { urlOf } from '../canonical/url.ts'

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Tells whether a URL has a loopback host. */
export const isLocal = (url: string): boolean => loopback.test(urlOf(url)?.hostname ?? '')

/**
 * Tells whether a request with this `Host` is meant for the service at `baseUrl`. On a local service, only loopback
 * names are accepted: the owner of another name can point it to this machine and let a browser send requests under it
 * (DNS rebinding). Other services accept any name, because a gateway may change it.
 */
export const isOwnHost = (host: string | readonly string[] | undefined, baseUrl: string): boolean =>
  host === undefined || !isLocal(baseUrl) || isLocal(`http://${String(host)}`)
