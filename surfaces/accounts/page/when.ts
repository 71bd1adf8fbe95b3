/** Formats a time to the minute, in UTC. */
export const minuteOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`
