/** A log for operators, one line for each message. A pino logger fits. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (message: string) => void>>

/** A log that drops everything, for callers that report in another way. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
