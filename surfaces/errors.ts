import { SurfaceError, type JsonObject } from 'pantry/data'

/** The error codes of this service that code answers with, as `manifests/service.yaml` declares them. */
export const invalidSku = { code: 'INVALID_SKU', status: 400 } as const
export const keyReused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 } as const
const conflictCode = { code: 'CONFLICT', status: 409 } as const

/** 409: what is asked does not fit what is there now, which `details` says. */
export const conflict = (message: string, details: JsonObject): SurfaceError =>
  new SurfaceError(conflictCode, message, { details })
