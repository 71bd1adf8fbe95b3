import { SurfaceError, type JsonObject } from 'pantry/data'

/** Error codes of this service that code uses, as declared in `manifests/service.yaml`. */
export const invalidSku = { code: 'INVALID_SKU', status: 400 } as const
export const keyReused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 } as const
const conflictCode = { code: 'CONFLICT', status: 409 } as const

/** Returns a 409: the request conflicts with the current state, which `details` describes. */
export const conflict = (message: string, details: JsonObject): SurfaceError =>
  new SurfaceError(conflictCode, message, { details })
