import type { Source } from './source.ts'

/**
 * Returns the reason why a source may not be imported now, or `undefined`. `conditionsMet`: the operator states that
 * the upstream's conditions are met.
 */
export function refusalOf(
  { id, access, access_reason: reason, reader, conditions = [] }: Source,
  conditionsMet: boolean
): string | undefined {
  if (access !== 'wired' || reader === undefined)
    return `Source \`${id}\` is not imported: its access is \`${access}\`. ${reason}`
  const open = conditionsMet ? undefined : conditions.find(({ met }) => met === undefined)
  return open === undefined
    ? undefined
    : `Source \`${id}\` is not imported while a condition of its upstream is open: ${open.asks}`
}
