import { Type, type Static } from 'pantry/data'

/** Who may create an account. */
export const signUps = ['closed', 'invite', 'open'] as const

/** The settings of this service that an operator can change. */
const settings = Type.Object(
  {
    smtpUrl: Type.Optional(
      Type.String({
        format: 'uri',
        pattern: '^smtps?://',
        writeOnly: true,
        examples: ['smtps://user:password@mail.example.org'],
        description:
          'Mail server that codes are sent with, such as `smtps://user:password@mail.example.org`. Without it the operator gives codes.'
      })
    ),
    mailFrom: Type.Optional(
      Type.String({ minLength: 3, description: 'Address that codes come from; without it the contact of the service.' })
    ),
    signUp: Type.Enum(signUps, {
      default: 'closed',
      description: `Who may make an account: ${signUps.join(', ')}. Other than closed, it needs a mail server.`
    }),
    drawsADay: Type.Integer({
      minimum: 0,
      maximum: 999_999_999,
      default: 10_000,
      description: 'How many draws may be begun in a day (UTC). All that were opened are kept for good.'
    })
  },
  {
    additionalProperties: false,
    if: { properties: { signUp: { enum: ['invite', 'open'] } } },
    then: { required: ['smtpUrl'] }
  }
)

export default settings

export type Settings = Readonly<Static<typeof settings>>
