import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { finishMirror } from '../contract/math-mirror.ts'
import type { Derivation, Handler, Reply } from '../handler/handler.ts'
import type { Page, PageForm } from '../handler/page.ts'
import { declaredCorpora, formId, type HandlerShape } from '../manifest/kind.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import { compileSchema, type Issue } from '../schema/compile.ts'
import { exactSchema } from '../schema/json-schema.ts'
import { ReplyFault } from './exact.ts'
import type { AnswerOnce, BoundDerivation, BoundForm, BoundHandler, BoundView } from './kind.ts'
import { andThen, type MaybePromise } from './request.ts'

/** The code of a surface: a handler, a derivation or a page. */
export type Coded<Services> = Handler<Services> | Derivation | Page

/** The code of all roots, by id. */
export type HandlerTable<Services> = ReadonlyMap<string, Coded<Services>>

export type BindOptions<Services> = Readonly<{
  registry: Pick<Registry, 'byId' | 'corpora'>
  handlers: HandlerTable<Services>
  services: Services
  /**
   * Checks each reply, and what views read, against the declared schemas; answers 500 if they do not match. For
   * development and tests.
   */
  checkReplies?: boolean
  /** Keeps the answers to requests with an idempotency key; absent if no database is open. */
  once?: AnswerOnce | undefined
}>

const bindAll = <Services, Bound>(
  handlers: HandlerTable<Services>,
  bind: (code: Coded<Services>, id: string) => Bound | undefined
): ReadonlyMap<string, Bound> =>
  new Map(
    [...handlers].flatMap(([id, code]): [string, Bound][] => {
      const bound = bind(code, id)
      return bound === undefined ? [] : [[id, bound]]
    })
  )

/**
 * A reply, or a promise of it. What code gives may be a promise of another make, as libraries have: it has `then`, and
 * here it becomes a plain one, which everything after it knows.
 */
const settling = (reply: MaybePromise<Reply>): MaybePromise<Reply> =>
  !(reply instanceof Promise) && 'then' in reply ? Promise.resolve(reply) : reply

export function bindHandlers<Services>({
  registry,
  handlers,
  services,
  checkReplies = false,
  once
}: BindOptions<Services>): ReadonlyMap<string, BoundHandler> {
  const pathTo = compilePathTo(registry.byId)
  return bindAll(handlers, (handler, id): BoundHandler | undefined => {
    if (!('handle' in handler)) return undefined
    const check = checkReplies ? compileReplyCheck(id, handler.reply) : undefined
    return {
      shape: handler,
      corpora: declaredCorpora(handler.corpora, registry.corpora),
      pathTo,
      once,
      version: handler.version === undefined ? undefined : async now => (await handler.version?.(services, now)) ?? '',
      handle:
        check === undefined
          ? request => settling(handler.handle(request, services))
          : request => andThen(settling(handler.handle(request, services)), reply => check(reply, request.now))
    }
  })
}

export function bindDerivations<Services>({
  registry,
  handlers,
  checkReplies = false
}: BindOptions<Services> & Readonly<{ registry: Registry }>): ReadonlyMap<string, BoundDerivation> {
  const pathTo = compilePathTo(registry.byId)
  return bindAll(handlers, (code, id): BoundDerivation | undefined => {
    if (!('derive' in code)) return undefined
    return () => {
      const reply = code.derive({ corpora: declaredCorpora(code.corpora, registry.corpora), registry, pathTo })
      return checkReplies ? compileReplyCheck(id, code.reply)(reply, new Date()) : reply
    }
  })
}

type FormInput = Parameters<BoundForm['view']>[0]
type ViewCheck = (input: Pick<FormInput, 'shown' | 'beside'> & Partial<Pick<FormInput, 'sent'>>) => void

const placeOf = ({ pointer, message }: Issue): string => `/${pointer.join('/')}: ${message}`

/** Returns a function that throws if an answer does not match the schema of what the view reads of it. */
function compileViewCheck(id: string, { shows, besides, sent }: HandlerShape): ViewCheck {
  const schemas = Object.entries({ ...shows, ...besides, ...(sent === undefined ? {} : { sent }) })
  const checks = schemas.map(([name, schema]) => ({ name, check: compileSchema(schema) }))
  return input => {
    for (const { name, check } of checks) {
      const data = input.shown[name] ?? (input.beside[name] ?? input.sent)?.data
      const [issue] = data === undefined ? [] : check(data)
      if (issue !== undefined)
        throw new Error(`The view \`${id}\` reads what \`${name}\` does not answer: ${placeOf(issue)}`)
    }
  }
}

export function bindViews<Services>({
  registry,
  handlers,
  checkReplies = false
}: BindOptions<Services>): ReadonlyMap<string, BoundView> {
  const pathTo = compilePathTo(registry.byId)
  const checkOf = (id: string, shape: HandlerShape): ViewCheck =>
    checkReplies ? compileViewCheck(id, shape) : () => undefined
  const bindForm = (id: string, form: PageForm): BoundForm => {
    const check = checkOf(id, form)
    return {
      done: form.texts?.['done'],
      toBody: (fields, files) => form.toBody(fields, files),
      view(input) {
        check(input)
        return form.view({ ...input, pathTo })
      }
    }
  }
  return bindAll(handlers, (code, id): BoundView | undefined => {
    if (!('view' in code)) return undefined
    const check = checkOf(id, code)
    const forms = Object.entries(code.forms ?? {}).map(([name, form]) => [name, bindForm(formId(id, name), form)])
    return {
      texts: code.texts ?? {},
      view(input) {
        check(input)
        return code.view({ ...input, pathTo })
      },
      forms: Object.fromEntries(forms) as BoundView['forms']
    }
  })
}

/**
 * Returns a function that returns a reply that matches `schema`, and throws a ReplyFault for any other. Members that
 * the schema does not name are errors.
 */
function compileReplyCheck(handler: string, schema: JsonSchema): (reply: Reply, now: Date) => Reply {
  const check = compileSchema(exactSchema(schema) as JsonSchema)
  return (reply, now) => {
    const { data = null, mirror } = reply
    // The JSON text is checked because it is what is sent: members that are undefined are not in it.
    const sent = JSON.parse(mirror === undefined ? JSON.stringify(data) : finishMirror(mirror, now)) as JsonValue
    const issues = check(sent)
    if (issues.length === 0) return reply
    const places = issues.map(issue => `  ${placeOf(issue)}`)
    throw new ReplyFault(
      [`The handler \`${handler}\` answered with what its reply schema does not describe.`, ...places].join('\n')
    )
  }
}
