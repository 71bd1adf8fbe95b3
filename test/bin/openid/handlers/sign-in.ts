import * as openid from 'openid-client'
import { browserCookie, reply, sessionCookie, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../services.ts'

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${name.startsWith('__Host-') ? '; Secure' : ''}`

/** Sends the browser to the provider. */
export default defineHandler({
  reply: Type.Null(),
  async handle({ service: { base_url: base }, pathTo }, { provider, sessions }) {
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
    const { href } = openid.buildAuthorizationUrl(await provider(), {
      redirect_uri: new URL(pathTo('sign-in/back'), base).href,
      scope: 'openid',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256'
    })
    const begun = cookie(browserCookie(base), await sessions.keep({ state, nonce, verifier }), 600)
    return reply(null, { status: 303, headers: { Location: href }, cookies: [begun] })
  }
})

/** Takes the browser back from the provider, and begins a session. */
export const back = defineHandler({
  rawQuery: true,
  reply: Type.Null(),
  async handle({ caller, path, rawQuery, service: { base_url: base } }, { provider, sessions }) {
    const flow = caller.browser === undefined ? undefined : await sessions.take(caller.browser)
    if (flow === undefined)
      throw new SurfaceError('INVALID_INPUT', 'This sign-in was not begun here. Please begin again.')
    const url = new URL(path, base)
    for (const [name, values] of rawQuery) for (const value of values) url.searchParams.append(name, value)
    const told = { expectedState: flow.state, expectedNonce: flow.nonce, pkceCodeVerifier: flow.verifier }
    const tokens = await openid.authorizationCodeGrant(await provider(), url, told).catch(() => {
      throw new SurfaceError('INVALID_INPUT', 'The provider did not say who you are. Please begin again.')
    })
    const person = tokens.claims()?.sub
    if (person === undefined) throw new Error('The provider gave no token with who it is.')
    const begun = cookie(sessionCookie(base), await sessions.begin(person), 30 * 86_400)
    return reply(null, { status: 303, headers: { Location: '/' }, cookies: [begun] })
  }
})

/** Who is signed in. */
export const who = defineHandler({
  reply: Type.Object({ person: Type.String() }),
  handle: ({ caller }) => reply({ person: caller.id ?? '' })
})
