// @ts-check
import { Type } from 'pantry/data'

/** What others are told about, with the schema of the data. */
/** @type {import('pantry/data').WebhookTypes} */
const types = {
  'incident.opened': Type.Object({ id: Type.Integer(), title: Type.String(), severity: Type.String() }),
  'incident.closed': Type.Object({ id: Type.Integer(), remedy: Type.String() })
}
export default types
