import { anonymous } from '../../core/access/access.ts'
import { Waiting, type PlanRequest } from '../../core/plan/request.ts'

const refuse = (): Promise<never> => Promise.reject(new Error('A body was read.'))

/** A GET request as plans see it, of an anonymous caller who sends no body. `more` replaces members. */
export function planRequest(path: string, more: Partial<PlanRequest> = {}): PlanRequest {
  const now = more.now ?? new Date()
  return {
    method: 'GET',
    path,
    search: '',
    params: {},
    headers: {},
    requestId: 'req_0123456789abcdef',
    now,
    time: now.toISOString(),
    rate: { limit: 60, windowSeconds: 60, remaining: 1, resetSeconds: 1 },
    caller: anonymous,
    callerHash: () => '',
    waiting: new Waiting(),
    readBody: refuse,
    readBytes: refuse,
    readForm: refuse,
    ...more
  }
}
