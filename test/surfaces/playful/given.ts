import { registryOf } from '../../support/registry.ts'
import type { Derivation, Handler, Reply, SurfaceRequest } from '../../../core/handler/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { readProject } from '../../../surfaces/playful/project.ts'
import type { Services } from '../../../surfaces/services.ts'
import { requestOf } from '../cards/ask.ts'

const { registry } = await registryOf()

const loaded = registry
const { service } = registry
export const { corpora, surfaces } = registry

/** The services that need no database. */
export const services = { corpora, project: readProject() } as unknown as Services

type Answered = Reply & Readonly<{ data: Record<string, unknown> }>

/** The answer of code over the real corpora; a reply that breaks its own schema is an error. */
export async function answer(
  code: Handler<Services> | Derivation,
  given: Partial<SurfaceRequest> = {}
): Promise<Answered> {
  const request = requestOf({ service, corpora: Object.fromEntries(corpora), ...given })
  const found =
    'derive' in code
      ? code.derive({ corpora: request.corpora, registry: loaded, pathTo: request.pathTo })
      : await code.handle(request, services)
  const issues = compileSchema(code.reply)(found.data)
  if (issues.length > 0) throw new Error(`The reply breaks its schema: ${JSON.stringify(issues).slice(0, 600)}`)
  return found as Answered
}

/** Whether the handler's query schema takes these parameters. */
export const takes = (handler: Handler<Services>, query: object): boolean =>
  compileSchema(handler.query ?? {})(query).length === 0
