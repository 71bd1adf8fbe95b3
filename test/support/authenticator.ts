import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

type Given = Readonly<{ challenge: string; origin: string; rpId: string }>

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const url = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** A passkey in software (WebAuthn Level 3, §6): ES256, verified by its user, without attestation. */
export function authenticator(): Readonly<{
  create: (given: Given) => RegistrationResponseJSON
  get: (given: Given, flags?: number) => AuthenticationResponseJSON
}> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, { challenge, origin }: Given): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = (rpId: string, flags: number): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE((counter += 1))
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
  return {
    create(given) {
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))]
        ])
      )
      const data = Buffer.concat([head(given.rpId, 0x45), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, never>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, never>()],
          ['authData', new Uint8Array(data)]
        ])
      )
      return {
        id: url(id),
        rawId: url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: url(clientData('webauthn.create', given)),
          attestationObject: url(attestationObject)
        }
      }
    },
    get(given, flags = 0x05) {
      const [data, client] = [head(given.rpId, flags), clientData('webauthn.get', given)]
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        id: url(id),
        rawId: url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) }
      }
    }
  }
}
