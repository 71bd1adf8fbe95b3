import { readFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import type { Sample } from '../scenarios.ts'

export const sample = JSON.parse(readFileSync(process.env['BENCH_SAMPLE'] ?? '', 'utf8')) as Sample

/** Other routes of a service of this size, so that routing costs what it would. */
export const otherPaths: readonly string[] = Array.from({ length: 160 }, (_, index) => index % 4 === 0 ? `/api/v1/area-${index}/thing/:key` : `/api/v1/area-${index}/list`)

/** `/a/{b}` as `/a/:b`. */
export const routePattern = sample.route.replace(/\{(\w+)\}/g, ':$1')

export const keyOf = (path: string): string => sample.route.includes('{') ? decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) : ''

let count = 0
export const nextId = (): string => `req_${(count += 1).toString(36).padStart(16, '0')}`

/** Tells the bench the port, and how much processor time was used, when it asks. */
export function report (server: Server): void {
  process.send?.({ port: (server.address() as AddressInfo).port })
  process.on('message', message => { if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() }) })
  process.on('disconnect', () => process.exit(0))
}

/** The document of a sample as an object with fresh stamps, as an ordinary handler would build it. */
export function stamped (key: string): Record<string, unknown> {
  const document = parsed.get(key)
  if (document === undefined) throw new Error(`no sample for ${key}`)
  const time = new Date().toISOString()
  const { _meta: meta } = document as { _meta?: Record<string, unknown> }
  return meta === undefined ? { ...document } : { ...document, _meta: { ...meta, retrieved_at: time, request_id: nextId() } }
}

const parsed = new Map<string, Record<string, unknown>>(sample.bodies[''] === '' ? [] : Object.entries(sample.bodies).map(([key, body]) => [key, JSON.parse(body) as Record<string, unknown>]))

/** Row of a card with what its document shows, by one query: what a service without Pantry would do. */
export const cardQuery = ['c.sku', 'c.game', 'c.set_code', 'c.card_number', 'c.lang', 'c.variant', 'c.name', 'c.rarity', 'c.illustrators', 'c.attributes', 'c.sources', 'c.content_hash', 's.content_hash as set_hash', 'g.content_hash as game_hash']

/** The same document as Pantry's, put together from a row. */
export function cardFrom (row: Record<string, unknown>): Record<string, unknown> {
  const now = new Date()
  const [template] = parsed.values()
  return {
    ...template,
    '@content_hash': row['content_hash'],
    '@retrieved_at': { iso8601: now.toISOString(), unix_epoch_seconds: Math.floor(now.getTime() / 1000) },
    sku: row['sku'],
    rarity: row['rarity'] === null ? null : { natural_label: row['rarity'] },
    attributes: row['attributes'],
    illustrators: row['illustrators']
  }
}
