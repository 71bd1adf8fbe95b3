import type { Test } from 'tap'
import type { Handler, Reply, SurfaceRequest } from '../../../core/handler/handler.ts'
import { finishMirror } from '../../../core/contract/math-mirror.ts'
import { Catalogue } from '../../../surfaces/catalogue/catalogue.ts'
import { encodingDocument } from '../../../surfaces/catalogue/encoding-document.ts'
import type { Services } from '../../../surfaces/services.ts'
import { testDatabase } from '../../support/database.ts'
import { insertCatalogue } from './catalogue-rows.ts'
import type { Document } from './recompute.ts'

export const now = new Date('2026-11-20T12:00:00.000Z')

export const requestOf = (given: Partial<SurfaceRequest> = {}): SurfaceRequest =>
  ({ method: 'GET', path: '/', rawQuery: new Map(), params: {}, query: {}, body: undefined, headers: {}, callerHash: 'feedfacefeedface', now, ...given })

/** The answer of a handler, and its document as text and as a value. */
export type Ask = (handler: Handler<Services>, given?: Partial<SurfaceRequest>) => Promise<{ reply: Reply, text: string, document: Document }>

/** Calls handlers over a small catalogue in a database of its own. */
export async function catalogueOf (t: Test): Promise<{ services: Services, ask: Ask, encoding: Document }> {
  const { database } = await testDatabase(t)
  await insertCatalogue(database)
  const encodingText = encodingDocument('pantry-cards/universal/v1')
  const services: Services = { catalogue: new Catalogue(database), encoding: 'pantry-cards/universal/v1', encodingText }
  return {
    services,
    encoding: JSON.parse(finishMirror(encodingText, now)) as Document,
    ask: async (handler, given) => {
      const reply = await handler.handle(requestOf(given) as SurfaceRequest<never, never, never>, services)
      const text = reply.mirror === undefined ? JSON.stringify(reply.data) : finishMirror(reply.mirror, now)
      return { reply, text, document: JSON.parse(text) as Document }
    }
  }
}
