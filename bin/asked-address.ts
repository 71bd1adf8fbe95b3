import { get } from 'node:http'
import type { ListenAddress } from './ports.ts'

/** Milliseconds and bytes after which an answer does not come, for one who only looks who listens. */
const timeoutMs = 3_000
const maxBytes = 16_777_216

/** Asks whatever listens at an address; returns the JSON of its answer, `undefined` if it gives none. */
export const askedAt = (place: ListenAddress, path: string): Promise<unknown> =>
  new Promise(resolve => {
    const where = 'path' in place ? { socketPath: place.path } : { host: place.host, port: place.port }
    const none = (): void => {
      resolve(undefined)
    }
    const request = get({ ...where, path, agent: false, signal: AbortSignal.timeout(timeoutMs) }, response => {
      const parts: Buffer[] = []
      let bytes = 0
      response
        .on('data', (part: Buffer) => {
          parts.push(part)
          bytes += part.length
          if (bytes > maxBytes) request.destroy()
        })
        .on('error', none)
        .on('close', none)
        .on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString()) as unknown)
          } catch {
            none()
          }
        })
    }).on('error', none)
  })
