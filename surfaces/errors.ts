/** The error codes of this service that code answers with, as `manifests/service.yaml` declares them. */
export const invalidSku = { code: 'INVALID_SKU', status: 400 } as const
