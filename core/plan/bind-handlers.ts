import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { finishMirror } from '../contract/math-mirror.ts'
import type { Derivation, Handler, Reply } from '../handler/handler.ts'
import type { Page, PageForm } from '../handler/page.ts'
import { declaredCorpora, formId, type HandlerShape } from '../manifest/kind.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import { compileSchema } from '../schema/compile.ts'
import { exactSchema } from '../schema/json-schema.ts'
import type { BoundDerivation, BoundForm, BoundHandler, BoundView } from './kind.ts'

/** The code of a surface: a handler, a derivation or a page. */
export type Coded<Services> = Handler<Services> | Derivation | Page

/** The code of all roots, by id. */
export type HandlerTable<Services> = ReadonlyMap<string, Coded<Services>>

export type BindGiven<Services> = Readonly<{
  registry: Pick<Registry, 'byId' | 'corpora'>
  handlers: HandlerTable<Services>
  services: Services
  /**
   * Checks each reply of a handler against its schema, and answers 500 if it does not match. For development and tests.
   */
  checkReplies?: boolean
}>

type Read = Pick<Parameters<BoundForm['view']>[0], 'shown' | 'beside'> &
  Partial<Pick<Parameters<BoundForm['view']>[0], 'sent'>>

/**
 * Binds each handler to the services, its corpora and `pathTo`; with `checkReplies`, checks each reply after the call.
 */
export function bindHandlers<Services>({
  registry,
  handlers,
  services,
  checkReplies = false
}: BindGiven<Services>): ReadonlyMap<string, BoundHandler> {
  const pathTo = compilePathTo(registry.byId)
  return new Map(
    [...handlers].flatMap(([id, handler]): [string, BoundHandler][] => {
      if (!('handle' in handler)) return []
      const around = {
        shape: handler,
        corpora: declaredCorpora(handler.corpora, registry.corpora),
        pathTo,
        version:
          handler.version === undefined
            ? undefined
            : async (now: Date) => (await handler.version?.(services, now)) ?? ''
      }
      const bound = (handle: BoundHandler['handle']): BoundHandler => ({ ...around, handle })
      if (!checkReplies) return [[id, bound(request => handler.handle(request, services))]]
      const check = compileReplyCheck(id, handler.reply)
      const handle: BoundHandler['handle'] = request => {
        const checked = (reply: Reply): Reply => {
          check(reply, request.now)
          return reply
        }
        const reply = handler.handle(request, services)
        return reply instanceof Promise ? reply.then(checked) : checked(reply)
      }
      return [[id, bound(handle)]]
    })
  )
}

/** Binds each derivation (code that answers once) to its corpora, the registry and `pathTo`. */
export function bindDerivations<Services>({
  registry,
  handlers,
  checkReplies = false
}: BindGiven<Services> & Readonly<{ registry: Registry }>): ReadonlyMap<string, BoundDerivation> {
  const pathTo = compilePathTo(registry.byId)
  return new Map(
    [...handlers].flatMap(([id, code]): [string, BoundDerivation][] => {
      if (!('derive' in code)) return []
      return [
        [
          id,
          () => {
            const reply = code.derive({ corpora: declaredCorpora(code.corpora, registry.corpora), registry, pathTo })
            if (checkReplies) compileReplyCheck(id, code.reply)(reply, new Date())
            return reply
          }
        ]
      ]
    })
  )
}

/** Checks that what a view reads is what was answered, where replies are checked. */
function compileReads(id: string, { shows, besides, sent }: HandlerShape): (given: Read) => void {
  const schemas = Object.entries({ ...shows, ...besides, ...(sent === undefined ? {} : { sent }) })
  const checks = schemas.map(([name, schema]) => ({ name, check: compileSchema(schema) }))
  return given => {
    for (const { name, check } of checks) {
      const data = given.shown[name] ?? (given.beside[name] ?? given.sent)?.data
      const [issue] = data === undefined ? [] : check(data)
      if (issue !== undefined)
        throw new Error(
          `The view \`${id}\` reads what \`${name}\` does not answer: /${issue.pointer.join('/')}: ${issue.message}`
        )
    }
  }
}

/** Each code that writes a page, with its forms; where replies are checked, with the check of what it is given. */
export function bindViews<Services>({
  registry,
  handlers,
  checkReplies = false
}: BindGiven<Services>): ReadonlyMap<string, BoundView> {
  const pathTo = compilePathTo(registry.byId)
  const checkOf = (id: string, shape: HandlerShape): ((given: Read) => void) =>
    checkReplies ? compileReads(id, shape) : () => undefined
  const bindForm = (id: string, form: PageForm): BoundForm => {
    const check = checkOf(id, form)
    return {
      toBody: (fields, files) => form.toBody(fields, files),
      view(given) {
        check(given)
        return form.view({ ...given, pathTo })
      }
    }
  }
  return new Map(
    [...handlers].flatMap(([id, code]): [string, BoundView][] => {
      if (!('view' in code)) return []
      const check = checkOf(id, code)
      const view: BoundView['view'] = given => {
        check(given)
        return code.view({ ...given, pathTo })
      }
      const forms = Object.entries(code.forms ?? {}).map(([name, form]) => [name, bindForm(formId(id, name), form)])
      return [[id, { view, forms: Object.fromEntries(forms) as BoundView['forms'] }]]
    })
  )
}

/**
 * The error for a reply that does not match the handler's `reply` schema. Its message names the handler and every
 * mismatch.
 */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault'
}

/**
 * Returns a function that checks the replies of a handler against its schema; members that the schema does not name are
 * errors. Throws a ReplyFault. Used in development and tests only, because it takes time.
 */
function compileReplyCheck(handler: string, schema: JsonSchema): (reply: Reply, now: Date) => void {
  const check = compileSchema(exactSchema(schema) as JsonSchema)
  return ({ data = null, mirror }, now) => {
    // The JSON text is checked because it is what is sent: members that are undefined are not in it.
    const served = JSON.parse(mirror === undefined ? JSON.stringify(data) : finishMirror(mirror, now)) as JsonValue
    const issues = check(served)
    if (issues.length === 0) return
    const places = issues.map(({ pointer, message }) => `  /${pointer.join('/')}: ${message}`)
    throw new ReplyFault(
      [`The handler \`${handler}\` answered with what its reply schema does not describe.`, ...places].join('\n')
    )
  }
}
