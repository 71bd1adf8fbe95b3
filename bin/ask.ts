import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerOnce } from '../core/plan/kind.ts'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { anonymous } from '../core/access/access.ts'
import { requestId } from '../core/http/arrival.ts'
import { createCallerHash } from '../core/http/client.ts'
import { bodyOf } from '../core/http/connection.ts'
import { kinds } from '../core/kinds/index.ts'
import type { Example } from '../core/manifest/surface.ts'
import type { HandlerTable } from '../core/plan/bind-handlers.ts'
import { splitTarget } from '../core/plan/dispatch.ts'
import { compileGeneration, dispatch, routeOf, type Generation } from '../core/plan/generation.ts'
import { noopTracer, Waiting, type Answer, type Tracer } from '../core/plan/request.ts'
import type { Registry } from '../core/registry/registry.ts'
import type { AnyServices } from './roots.ts'

/** A request without a network connection. Header names are lowercase. */
export type DirectRequest = Readonly<{
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | undefined
}>

type ReadsTables = Partial<Pick<Parameters<typeof compileGeneration>[0], 'tables'>>

/** Compiles the plans of a registry for a process that does not listen. */
export const compileUnserved = (
  registry: Registry,
  handlers: HandlerTable<AnyServices>,
  services: AnyServices,
  {
    onFault,
    watch = noopTracer,
    tables,
    once
  }: Readonly<{ onFault: (error: unknown) => void; watch?: Tracer; once?: AnswerOnce }> & ReadsTables
): Generation =>
  compileGeneration({
    registry,
    kinds,
    handlers,
    services,
    checkReplies: true,
    observe: now => ({
      now,
      startedAt: now,
      subsystems: { process: { status: 'ok', detail: 'Asked from the command line; nothing listens.' } }
    }),
    onFault,
    watch,
    tables,
    once
  })

export const exampleRequest = ({ method, url, headers, content }: Example): DirectRequest => ({
  method,
  url,
  headers: {
    ...(content === undefined ? {} : { 'content-type': content.type }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  },
  body: content === undefined ? undefined : Buffer.from(content.text)
})

function connectionOf({ headers, body }: DirectRequest): [IncomingMessage, ServerResponse] {
  const incoming = Object.assign(Readable.from(body === undefined ? [] : [Buffer.from(body)]), { headers })
  // `bodyOf` reads only the headers and the bytes of the request, and calls only this method of the response.
  return [incoming as unknown as IncomingMessage, { writeContinue: () => undefined } as unknown as ServerResponse]
}

/** Answers one request without a socket, with the server's own body reader and error responses. */
export async function answerOf(generation: Generation, asked: DirectRequest): Promise<Answer> {
  const { stream, ...answer } = await beginAnswer(generation, asked)
  return stream === undefined ? answer : { ...answer, body: await buffer(stream) }
}

/** Answers as `answerOf` does, but leaves it to the caller to read what is sent while it is made. */
export async function beginAnswer(generation: Generation, asked: DirectRequest): Promise<Answer> {
  const { method, url, headers } = asked
  const now = new Date()
  const time = now.toISOString()
  const { limit, window_seconds: windowSeconds } = generation.registry.service.rate_policy
  const target = splitTarget(url)
  return dispatch(
    generation,
    {
      method,
      ...target,
      headers,
      requestId: requestId(),
      now,
      time,
      rate: { limit, windowSeconds, remaining: limit, resetSeconds: windowSeconds },
      caller: anonymous,
      callerHash: () => createCallerHash()(undefined, time.slice(0, 10)),
      waiting: new Waiting(),
      ...bodyOf(...connectionOf(asked))
    },
    routeOf(generation, method, target.path)
  ).answer
}
