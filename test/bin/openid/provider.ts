import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * As much of an OpenID provider as signs one person in: its metadata, its keys, codes with PKCE, and tokens that it
 * signs. `nonce` is what it puts into tokens instead of what it was given.
 */
export async function startProvider(
  t: Pick<Test, 'teardown'>,
  person: string,
  { nonce: wrong }: { nonce?: string } = {}
) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    const json = (value: object, status = 200): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration')
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256']
      })
    else if (url.pathname === '/keys')
      json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    else if (url.pathname === '/authorize') {
      const code = randomBytes(16).toString('hex')
      codes.set(code, url.searchParams)
      const to = new URL(url.searchParams.get('redirect_uri') ?? '')
      to.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { Location: to.href }).end()
    } else
      void text(request).then(body => {
        const form = new URLSearchParams(body)
        const asked = codes.get(form.get('code') ?? '')
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        codes.delete(form.get('code') ?? '')
        if (asked?.get('code_challenge') !== challenge) {
          json({ error: 'invalid_grant' }, 400)
          return
        }
        const seconds = Math.floor(Date.now() / 1000)
        const claims = {
          iss: issuer,
          sub: person,
          aud: asked.get('client_id'),
          iat: seconds,
          exp: seconds + 60,
          nonce: wrong ?? asked.get('nonce')
        }
        const signed = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`
        const token = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
        json({ access_token: 'none', token_type: 'Bearer', id_token: token })
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return issuer
}
