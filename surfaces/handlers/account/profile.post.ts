import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Profile } from '../../people/collector-schemas.ts'
import { Done } from '../../people/schemas.ts'

/** Stores the caller's profile. */
export default defineHandler({
  body: { schema: Profile, limitBytes: 2048 },
  reply: Done,
  async handle({ body, caller }, { profiles }) {
    await profiles.put(personOf(caller), body)
    return reply({ done: 'Your profile is kept. What of it is public is for you to say.' })
  }
})
