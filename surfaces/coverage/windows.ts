/** The number of days in each window. */
export const windows = { '7d': 7, '30d': 30, '90d': 90 } as const
type Window = keyof typeof windows
/** The accepted names of windows: both `7d` and `7`. */
export const windowNames = Object.entries(windows).flatMap(([name, days]) => [name, String(days)])
export const windowOf = (text: string): Window => (text.endsWith('d') ? text : `${text}d`) as Window
