import { declaredCorpora } from '../corpus/declared.ts'
import type { HandlerTable, Reply } from '../handler/handler.ts'
import { compilePathTo } from '../manifest/path-to.ts'
import type { Registry } from '../registry/registry.ts'
import { compileReplyCheck } from './check-reply.ts'
import type { BoundDerivation, BoundHandler } from './kind.ts'

export type BindGiven<Services> = Readonly<{
  registry: Pick<Registry, 'byId' | 'corpora'>
  handlers: HandlerTable<Services>
  services: Services
  /** Check each reply of a handler against its schema, and answer 500 where it does not fit. For development and tests. */
  checkReplies?: boolean
}>

/** Each handler with the services, its corpora and the paths; where replies are checked, with the check behind it. */
export function bindHandlers<Services> ({ registry, handlers, services, checkReplies = false }: BindGiven<Services>): ReadonlyMap<string, BoundHandler> {
  const pathTo = compilePathTo(registry.byId)
  return new Map([...handlers].flatMap(([id, handler]): [string, BoundHandler][] => {
    if (!('handle' in handler)) return []
    const corpora = declaredCorpora(handler.corpora, registry.corpora)
    if (!checkReplies) return [[id, { shape: handler, corpora, pathTo, handle: request => handler.handle(request, services) }]]
    const check = compileReplyCheck(id, handler.reply)
    const handle: BoundHandler['handle'] = request => {
      const checked = (reply: Reply): Reply => {
        check(reply, request.now)
        return reply
      }
      const reply = handler.handle(request, services)
      return reply instanceof Promise ? reply.then(checked) : checked(reply)
    }
    return [[id, { shape: handler, corpora, pathTo, handle }]]
  }))
}

/** Each code that answers once, with what it derives its answer from. */
export function bindDerivations<Services> ({ registry, handlers, checkReplies = false }: BindGiven<Services> & Readonly<{ registry: Registry }>): ReadonlyMap<string, BoundDerivation> {
  const pathTo = compilePathTo(registry.byId)
  return new Map([...handlers].flatMap(([id, code]): [string, BoundDerivation][] => {
    if (!('derive' in code)) return []
    return [[id, () => {
      const reply = code.derive({ corpora: declaredCorpora(code.corpora, registry.corpora), registry, pathTo })
      if (checkReplies) compileReplyCheck(id, code.reply)(reply, new Date())
      return reply
    }]]
  }))
}
