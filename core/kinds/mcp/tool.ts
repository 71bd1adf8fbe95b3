import type { JsonObject, JsonSchema } from '../../canonical/json.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import type { Asker, Said } from './call.ts'

/** A tool as the list has it, and what it does. */
export type McpTool = Readonly<{
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  readOnly: boolean
  notes?: JsonObject
  call: (given: JsonObject, asker: Asker) => Promise<Said>
}>

/** What a client may want to ask a person about first; nothing where there is nothing. */
export function notesOf({ surface: { carriesPii, requiresConsent } }: Tool): Readonly<{ notes?: JsonObject }> {
  const notes = { ...(carriesPii ? { carries_pii: true } : {}), ...(requiresConsent ? { requires_consent: true } : {}) }
  return Object.keys(notes).length === 0 ? {} : { notes }
}
