// test: sampled, slow.
import { isOpen } from '../../core/access/index.ts'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { errorCodesOf } from '../../core/manifest/service-defaults.ts'
import { times } from '../support/effort.ts'
import { testDatabase } from '../support/database.ts'
import { Dice, malformedRead, malformedWrite, type RawRequest } from '../support/malformed.ts'
import { generationOf, library, serveGeneration, type Served } from '../support/serve-root.ts'

/** Another seed tries other requests: `PANTRY_TEST_SEED=7 npm test -- test/promises/malformed-input.test.ts`. */
const seed = Number(process.env['PANTRY_TEST_SEED'] ?? 20261120)
const atOnce = 24

type Answer = Readonly<{ status: number; fields: ReadonlyMap<string, string>; body: string }>

const isHead = ({ bytes }: RawRequest): boolean => bytes.toString('latin1', 0, 5) === 'HEAD '

/** What came back, without interim answers; `undefined` while it is not complete. */
function read(request: RawRequest, bytes: Buffer): Answer | undefined {
  const text = bytes.toString('latin1').replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)+/, '')
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const fields = new Map(
    lines.map((field): [string, string] => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 2)
    ])
  )
  const length = isHead(request) ? 0 : Number(fields.get('content-length') ?? 0)
  if (text.length < end + 4 + length) return undefined
  return {
    status: Number(line.split(' ')[1]),
    fields,
    body: Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString()
  }
}

/**
 * How long an answer may take, in milliseconds, before the sending side is closed: not long where the server may wait
 * for the rest of a request; else all that a read needs on a busy machine.
 */
function patience({ bytes }: RawRequest): number {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n') + 4
  const length = /^content-length: ([0-9]+)\r$/im.exec(text.slice(0, end))?.[1] ?? '0'
  const isWhole =
    end > 3 &&
    Number(length) <= text.length - end &&
    !/^(?:transfer-encoding|expect|upgrade):/im.test(text.slice(0, end))
  return isWhole ? 10_000 : 1_000
}

/** Sends a request. Where the server waits for the rest of a body, none comes: the sending side is closed. */
function send(port: number, request: RawRequest): Promise<Answer | undefined> {
  return new Promise(resolve => {
    let received = Buffer.alloc(0)
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(request.bytes)
    })
    const waiting = setTimeout(() => {
      socket.end()
    }, patience(request))
    const done = (): void => {
      clearTimeout(waiting)
      socket.destroy()
      resolve(read(request, received))
    }
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (read(request, received) !== undefined) done()
    })
    socket.on('error', done).on('close', done)
  })
}

/** Why an answer breaks the promise; empty when it does not. */
function faultOf({
  codes,
  surface,
  answer,
  request,
  declared
}: {
  codes: object
  surface: Surface
  answer: Answer | undefined
  request: RawRequest
  declared: ReadonlySet<number>
}): string {
  if (answer === undefined) return 'no answer'
  const { status, fields, body } = answer
  // A gateway gets what it may store without the headers of one request.
  const isForAll = /^public(?!.*no-cache=)/.test(fields.get('cache-control') ?? '')
  if (
    (isOpen(surface.access) && fields.get('access-control-allow-origin') !== '*') ||
    fields.get('x-content-type-options') !== 'nosniff' ||
    fields.has('x-request-id') === isForAll
  )
    return 'headers are missing'
  if (status < 400 || declared.has(status)) return ''
  if (status >= 500) return 'a fault of the service'
  if (fields.get('cache-control')?.endsWith('no-store') !== true) return 'may be stored'
  if (isHead(request)) return ''
  // What is changed in a path outside of the API may be that of a page.
  const isPage = !surface.route.path.startsWith('/api/') && fields.get('content-type')?.startsWith('text/html') === true
  if (isPage) return body.includes(`<small>Status ${status}.`) ? '' : 'not a page that says what failed'
  if (!body.startsWith('{') || !body.endsWith('}')) return 'not a JSON object'
  const {
    error,
    _meta: meta,
    ...rest
  } = JSON.parse(body) as { error?: { code: string; status: number; message: string; docs: string }; _meta?: object }
  if (
    error === undefined ||
    !(error.code in codes) ||
    error.status !== status ||
    error.message.length < 10 ||
    !error.docs.endsWith(`#${error.code}`)
  )
    return 'not the shape of errors'
  return (meta === undefined) === !('data' in rest) ? '' : 'half an envelope'
}

type Storm = Readonly<{
  surfaces: readonly Surface[]
  times: number
  make: (surface: Surface, dice: Dice) => RawRequest
}>

/**
 * Sends many requests and reports the broken promises with the bytes that broke them; how many were refused is what is
 * returned.
 */
async function storm(t: Test, { server, registry }: Served, { surfaces, times, make }: Storm): Promise<number> {
  const codes = errorCodesOf(registry.service)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const queue = surfaces.flatMap((surface, index) => {
    const dice = new Dice(seed + index)
    // A segment that is added to the path may lead to the surface below it.
    const reached = surfaces.filter(
      ({ route }) => route.path === surface.route.path || route.path.startsWith(`${surface.route.path}/`)
    )
    const declared = new Set(reached.flatMap(({ fixed, status }) => (fixed === undefined ? [] : [status])))
    return Array.from({ length: times }, () => ({ surface, declared, request: make(surface, dice) }))
  })
  let refused = 0
  const work = async (): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const answer = await send(port, item.request)
      if ((answer?.status ?? 0) >= 400) refused += 1
      const fault = faultOf({ codes, answer, ...item })
      if (fault !== '')
        t.fail(`${item.surface.id}: ${fault}`, {
          seed,
          sent: item.request.bytes.toString('latin1').slice(0, 600),
          status: answer?.status,
          body: answer?.body.slice(0, 400)
        })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return refused
}

/** The statuses of the examples, one for each surface: what must be the same before and after. */
const statuses = async ({ get }: Served, surfaces: readonly Surface[]): Promise<readonly string[]> => {
  const answered: string[] = []
  // One after the other: a server that has too much to do may refuse any of them.
  for (const example of surfaces.flatMap(({ examples: [first] }) => first ?? [])) {
    const response = await get(example.url, requestOf(example))
    await response.arrayBuffer()
    answered.push(`${response.status} ${example.method} ${example.url}`)
  }
  return answered
}

t.comment(`seed ${seed}`)

t.test('malformed requests are refused in one shape, and good ones work after them', async t => {
  const { url } = await testDatabase(t)
  const faults: unknown[] = []
  for (const roots of [['.'], [library]]) {
    const served = await serveGeneration(t, await generationOf(t, roots, { databaseUrl: url, faults }))
    const surfaces = [...served.registry.surfaces, ...served.registry.forms]
    const before = await statuses(served, surfaces)
    const writing = surfaces.filter(({ input }) => input.body !== undefined)
    const reading = surfaces.filter(({ input, route }) => input.body === undefined && route.methods.includes('GET'))
    t.ok(writing.length > 0, 'some surface reads a body')
    t.ok(
      (await storm(t, served, { surfaces: writing, times: times(260), make: malformedWrite })) >
        writing.length * times(260) * 0.69,
      'most bodies are refused'
    )
    t.ok(
      (await storm(t, served, { surfaces: reading, times: times(60), make: malformedRead })) >
        reading.length * times(60) * 0.41,
      'many targets are refused'
    )
    t.strictSame(await statuses(served, surfaces), before, 'the examples answer as before')
  }
  t.strictSame(faults, [], 'no fault was met')
})
