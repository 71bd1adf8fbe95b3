import { Type, type Static } from 'pantry/data'

/** Who may create an account. */
export const signUps = ['closed', 'invite', 'open'] as const

/** The settings of sign-in and sign-up that an operator can change. */
export const accountSettings = Type.Object({
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
    examples: ['open'],
    description: `Who may make an account: ${signUps.join(', ')}. Other than closed, it needs a mail server.`
  })
})

export type AccountSettings = Readonly<Static<typeof accountSettings>>
