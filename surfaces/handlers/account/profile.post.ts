import { reply } from 'pantry/handler'
import { personOf } from '../../accounts/own.ts'
import { Done } from '../../accounts/schemas.ts'
import { Profile } from '../../collectors/schemas.ts'
import { defineHandler } from '../../define.ts'

/** Stores the caller's profile. */
export default defineHandler({
  body: { schema: Profile, limitBytes: 2048 },
  reply: Done,
  async handle({ body, caller }, { profiles }) {
    await profiles.put(personOf(caller), body)
    return reply({ done: 'Your profile is kept. What of it is public is for you to say.' })
  }
})
