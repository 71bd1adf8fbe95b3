import type { JsonObject, JsonSchema } from '../../canonical/json.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import type { Asker, Said } from './call.ts'

/** A tool as `tools/list` describes it, with the function that runs it. */
export type McpTool = Readonly<{
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  readOnly: boolean
  notes?: JsonObject
  call: (given: JsonObject, asker: Asker) => Promise<Said>
}>

/**
 * Returns notes about personal data and consent, for which a client may ask the user first; no `notes` if neither
 * applies.
 */
export function notesOf({ surface: { carriesPii, requiresConsent } }: Tool): Readonly<{ notes?: JsonObject }> {
  const notes = { ...(carriesPii ? { carries_pii: true } : {}), ...(requiresConsent ? { requires_consent: true } : {}) }
  return Object.keys(notes).length === 0 ? {} : { notes }
}
