import { defineForm, definePage, Refused, Type } from 'pantry/page'
import { ConfirmForm, SignUpForm } from '../../../people/page/sign-in.tsx'
import { Asked, Done, Ways } from '../../../people/schemas.ts'

const ask = defineForm({
  shows: { ways: Ways },
  fields: Type.Object(
    { address: Type.String({ maxLength: 254 }), invitation: Type.Optional(Type.String({ maxLength: 80 })) },
    { additionalProperties: false }
  ),
  limitBytes: 1024,
  reply: Asked,
  toBody: ({ address, invitation = '' }) => ({ address, ...(invitation === '' ? {} : { invitation }) }),
  view: ({ shown: { ways }, form: { invitation }, sent: { data, reason }, formToken, back }) => ({
    title: 'Make an account',
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <ConfirmForm
            token={formToken}
            request={data.request}
            invitation={invitation}
            termsVersion={ways.terms_version}
          />
        </>
      )
  })
})

const confirm = defineForm({
  fields: Type.Object(
    {
      request: Type.String({ maxLength: 80 }),
      code: Type.String({ maxLength: 40 }),
      username: Type.String({ maxLength: 80 }),
      terms_version: Type.Optional(Type.String({ maxLength: 20 })),
      invitation: Type.Optional(Type.String({ maxLength: 80 }))
    },
    { additionalProperties: false }
  ),
  limitBytes: 2048,
  reply: Done,
  // A box that is not ticked is not sent.
  toBody: ({ request, code, username, terms_version: terms = '', invitation = '' }) => ({
    request,
    code,
    username,
    terms_version: terms,
    ...(invitation === '' ? {} : { invitation })
  }),
  view: ({
    form: { request, username, terms_version: terms = '', invitation },
    sent: { data, reason },
    formToken,
    back
  }) =>
    data === undefined
      ? {
          title: 'Make an account',
          main: (
            <>
              <Refused reason={reason} back={back} />
              {terms !== '' && (
                <ConfirmForm
                  token={formToken}
                  request={request}
                  username={username}
                  invitation={invitation}
                  termsVersion={terms}
                />
              )}
            </>
          )
        }
      : { seeOther: '/account' }
})

export default definePage({
  shows: { ways: Ways },
  forms: { ask, confirm },
  view: ({
    shown: {
      ways: { sign_up: signUp }
    },
    formToken
  }) => ({
    title: 'Make an account',
    main:
      signUp === 'closed' ? (
        <>
          <p>Accounts are made by the operator here. You need none to look at anything.</p>
          <p>
            <a href="/account/sign-in">Sign in</a>
          </p>
        </>
      ) : (
        <SignUpForm token={formToken} isByInvitation={signUp === 'invite'} />
      )
  })
})
