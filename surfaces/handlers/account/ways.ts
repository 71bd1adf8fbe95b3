import { reply } from 'pantry/handler'
import { Ways } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'

/** How people get in here. */
export default defineHandler({ reply: Ways, handle: (_, { ways }) => reply({ codes: true, passkeys: true, ...ways }) })
