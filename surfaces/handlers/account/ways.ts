import { reply } from 'pantry/handler'
import { Ways } from '../../accounts/schemas.ts'
import { defineHandler } from '../../define.ts'

/** Returns the ways to sign in and sign up. */
export default defineHandler({ reply: Ways, handle: (_, { ways }) => reply({ codes: true, passkeys: true, ...ways }) })
