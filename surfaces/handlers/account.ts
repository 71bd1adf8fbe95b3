import { notFound, reply } from 'pantry/handler'
import { noticeVersion, publicationNames, publications } from '../people/receipts.ts'
import { personOf } from '../people/callers.ts'
import { Account } from '../people/schemas.ts'
import { freshMinutes } from '../people/sign-in.ts'
import { sessionLimit, tiers } from '../people/keys.ts'
import { defineHandler } from '../define.ts'

/** Returns the caller's account. */
export default defineHandler({
  reply: Account,
  async handle(
    { caller, now },
    { people, signIn, keys, passkeys, receipts, mailAddresses, profiles, organisations, reports }
  ) {
    const id = personOf(caller)
    const [person, sessions, own, signing, given, mail, profile, organisation, reported] = await Promise.all([
      people.byId(id),
      signIn.sessionsOf(id),
      keys.of(id),
      passkeys.of(id),
      receipts.of(id),
      mailAddresses.of(id),
      profiles.of(id),
      organisations.of(id),
      reports.of(id)
    ])
    if (person === undefined) throw notFound('account', 'of yours')
    const isPublic = new Set(
      given
        .filter(({ withdrawn_at: ended, notice_version: version }) => ended === null && version === noticeVersion)
        .map(({ scope }) => scope)
    )
    const signedInAt = caller.session?.signedInAt ?? now
    return reply({
      username: person.username,
      roles: person.roles,
      since: person.created_at,
      signed_in_at: signedInAt.toISOString(),
      is_fresh: now.getTime() - signedInAt.getTime() < freshMinutes * 60_000,
      notice_version: noticeVersion,
      publications: publicationNames.map(scope => ({
        scope,
        meaning: publications[scope],
        is_public: isPublic.has(scope)
      })),
      receipts: given,
      sessions: sessions.map(session => ({ ...session, is_this_one: session.id === caller.session?.id })),
      keys: own,
      passkeys: signing,
      mail: mail ?? null,
      profile,
      organisation: organisation ?? null,
      reports: [...reported],
      limits: { session_per_minute: sessionLimit, keys_per_minute: { ...tiers } }
    })
  }
})
