import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Ways } from '../../people/schemas.ts'

/** Returns the ways to sign in and sign up. */
export default defineHandler({ reply: Ways, handle: (_, { ways }) => reply({ codes: true, passkeys: true, ...ways }) })
