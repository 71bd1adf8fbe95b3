import { closed, invalid, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { requireNoOpenTrades } from '../market/trade.ts'
import { personOf, requireFresh } from '../people/callers.ts'
import { Profile } from '../people/collector-schemas.ts'
import { sessionLimit, tiers } from '../people/keys.ts'
import { noticeVersion, publicationNames, publications } from '../people/receipts.ts'
import { Account, Done, ReportRequest, Ways } from '../people/schemas.ts'
import { freshMinutes, noCookie } from '../people/sign-in.ts'

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

export const ways = defineHandler({
  reply: Ways,
  handle: (_, { ways }) => reply({ codes: true, passkeys: true, ...ways })
})

export const profilePost = defineHandler({
  body: { schema: Profile, limitBytes: 2048 },
  reply: Done,
  async handle({ body, caller }, { profiles }) {
    await profiles.put(personOf(caller), body)
    return reply({ done: 'Your profile is kept. What of it is public is for you to say.' })
  }
})

export const reportsPost = defineHandler({
  body: { schema: ReportRequest, limitBytes: 8192 },
  reply: Done,
  async handle({ body, caller }, { reports }) {
    await reports.add(personOf(caller), body)
    return reply({ done: 'Thank you. An admin reads your report; whoever you reported is not told that it was you.' })
  }
})

export const signOutPost = defineHandler({
  reply: Done,
  async handle({ caller, service }, { signIn }) {
    await signIn.end(personOf(caller), caller.session?.id ?? '')
    return reply({ done: 'You are signed out.' }, { cookies: [noCookie(service.base_url)] })
  }
})

export const leavePost = defineHandler({
  body: {
    schema: closed({
      username: Type.String({ maxLength: 80, description: 'Your username, so that nobody leaves by mistake.' })
    }),
    limitBytes: 512
  },
  reply: Done,
  async handle({ body: { username }, caller, now, service }, { people, market }) {
    requireFresh(caller, now)
    const id = personOf(caller)
    if ((await people.byId(id))?.username !== username.trim().toLowerCase())
      throw invalid('username', 'To leave, write your own username.')
    await people.leave(id, {
      first: async transaction => {
        await requireNoOpenTrades(market, transaction, id)
      }
    })
    return reply(
      { done: 'You have left. Everything that was yours is erased.' },
      { cookies: [noCookie(service.base_url)] }
    )
  }
})
