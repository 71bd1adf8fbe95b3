import { unavailable } from '../handler/errors.ts'
import { dispatch, type Arrived, type Dispatched, type PlanRoute } from '../plan/dispatch.ts'
import type { Plan } from '../plan/plan.ts'
import type { Generation } from '../plan/generation.ts'
import type { Answer } from '../plan/request.ts'
import type { Visit, Work } from './work.ts'

/**
 * A dispatched request. `wasTooMuch`, valid once there is an answer: whether the request was refused because too many
 * wait.
 */
export type Admitted = Dispatched & Readonly<{ wasTooMuch?: () => boolean }>

/** The 503 for a request that would wait too long (RFC 9110 §15.6.4). */
const tooMuch = unavailable('More is asked than can be answered in time. Please try again in a moment.', 1, {
  subsystem: 'process'
})

/**
 * Dispatches a request to a surface that uses stores: it waits in the queue of the surface, and is refused while too
 * many wait there. Other requests are answered from memory, which costs no more than refusing them.
 */
export function admit(
  work: Work,
  generation: Generation,
  request: Arrived,
  route: Extract<PlanRoute, { value: Plan }>,
  client: string
): Admitted {
  const { surface } = route.value
  const queue = work.of(surface)
  if (queue.isFull(client))
    return {
      surface,
      wasTooMuch: () => true,
      answer: generation.failure.ofError(tooMuch, { ...request, params: {} }, surface)
    }
  let visit: Visit | undefined
  let [isRead, refused] = [false, false]
  const reading =
    <Given extends readonly unknown[], Content>(read: (...given: Given) => Promise<Content>) =>
    async (...given: Given): Promise<Content> => {
      // While a slow client sends its body, it takes no place in the queue.
      isRead = true
      visit?.leave()
      visit = undefined
      const content = await read(...given)
      // Check again: the number of waiting requests has changed when the body has arrived, and clients that hold back
      // their bodies could send them all at once.
      refused = queue.isFull(client)
      if (refused) throw tooMuch
      visit = queue.enter(client)
      await visit.turn
      return content
    }
  const { readBody, readBytes, readForm } = request
  const given =
    request.method === 'GET'
      ? request
      : Object.assign(request, {
          readBody: reading(readBody),
          readBytes: reading(readBytes),
          readForm: reading(readForm)
        })
  const leave = (found: Answer): Answer => {
    visit?.leave(found.status)
    return found
  }
  const wasTooMuch = (): boolean => refused
  if (!queue.isFree()) {
    visit = queue.enter(client)
    return {
      surface,
      wasTooMuch,
      answer: Promise.resolve(visit.turn)
        .then(() => dispatch(generation, given, route).answer)
        .then(leave)
    }
  }
  const { answer } = dispatch(generation, given, route)
  if (!(answer instanceof Promise)) return { surface, answer }
  if (!isRead) visit = queue.enter(client)
  return { surface, wasTooMuch, answer: answer.then(leave) }
}
