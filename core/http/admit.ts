import { usesStores } from '../discovery/pointers.ts'
import { unavailable } from '../handler/errors.ts'
import { dispatch, type Arrived, type Dispatched, type Route } from '../plan/dispatch.ts'
import type { Generation } from '../plan/generation.ts'
import type { Work } from './work.ts'

/** `wasTooMuch`, once there is an answer: whether the request was refused, because too many wait. */
export type Admitted = Dispatched & Readonly<{ wasTooMuch?: () => boolean }>

/** What a request is told that would wait too long (RFC 9110 §15.6.4). */
const tooMuch = unavailable('More is asked than can be answered in time. Please try again in a moment.', 1, { subsystem: 'process' })

const done = Promise.resolve()

/** Dispatches requests. Those that need stores are counted, and refused while too many wait. All others are answered from memory, which costs no more than to refuse them. */
export function admit (work: Work, generation: Generation, request: Arrived, route: Route): Admitted {
  const surface = route !== undefined && 'value' in route ? route.value.surface : undefined
  if (surface === undefined || !usesStores(surface)) return dispatch(generation, request, route)
  if (work.isFull()) return { surface, wasTooMuch: () => true, answer: generation.failure.ofFacts(tooMuch, { ...request, params: {} }, surface) }
  let body: Promise<unknown> = done
  let refused = false
  const reading = <Content>(read: (limitBytes: number) => Promise<Content>) => (limitBytes: number): Promise<Content> => {
    // How many wait is another number when a body has arrived, and clients that hold theirs back could send all at once.
    const content = read(limitBytes).then(found => {
      if (!work.isFull()) return found
      refused = true
      throw tooMuch
    })
    body = content.catch(() => undefined)
    return content
  }
  const { readBody, readBytes } = request
  const { answer } = dispatch(generation, request.method === 'GET' ? request : Object.assign(request, { readBody: reading(readBody), readBytes: reading(readBytes) }), route)
  if (!(answer instanceof Promise)) return { surface, answer }
  // A client that is slow to send its body makes nobody wait.
  return body === done ? { surface, answer: work.count(answer) } : { surface, wasTooMuch: () => refused, answer: body.then(() => work.count(answer)) }
}
