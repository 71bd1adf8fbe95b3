import { SurfaceError, type JsonObject } from 'pantry/data'

/** The error codes that code answers with, by the names that `manifests/service.yaml` declares with their statuses. */
export const invalidSku = { code: 'INVALID_SKU' } as const
export const keyReused = { code: 'IDEMPOTENCY_KEY_REUSED' } as const
const conflictCode = { code: 'CONFLICT' } as const

/** 409: what is asked does not fit what is there now, which `details` says. */
export const conflict = (message: string, details: JsonObject): SurfaceError =>
  new SurfaceError(conflictCode, message, { details })
