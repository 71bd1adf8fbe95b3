import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { ConfirmForm } from '../../../../accounts/page/sign-up.tsx'
import { Done } from '../../../../accounts/schemas.ts'

export default definePage({
  form: {
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
    // Browsers do not send a checkbox that is not ticked.
    toBody: ({ request, code, username, terms_version: terms = '', invitation = '' }) => ({
      request,
      code,
      username,
      terms_version: terms,
      ...(invitation === '' ? {} : { invitation })
    })
  },
  view: ({ form: { request, username, terms_version: terms = '', invitation }, sent: { data, reason }, formToken }) =>
    data === undefined
      ? {
          title: 'Make an account',
          main: (
            <>
              <Refused reason={reason} back="/account/sign-up" />
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
