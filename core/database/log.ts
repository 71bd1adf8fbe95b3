/** Where a long-lived part reports what an operator should know, one line each. A pino logger fits. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (message: string) => void>>

/** For callers that report by other means. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
