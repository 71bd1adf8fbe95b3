import { SurfaceError, type JsonObject } from 'pantry/data'

/** The error codes of this service that domains throw; `manifests/service.yaml` declares their statuses. */
export const invalidSku = { code: 'INVALID_SKU' } as const
const conflictCode = { code: 'CONFLICT' } as const

/** Returns the error CONFLICT (409): the request conflicts with the current state, which `details` describes. */
export const conflict = (message: string, details: JsonObject): SurfaceError =>
  new SurfaceError(conflictCode, message, { details })
