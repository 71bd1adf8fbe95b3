import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { ConfirmForm } from '../../../accounts/page/sign-up.tsx'
import { Asked, Ways } from '../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      { address: Type.String({ maxLength: 254 }), invitation: Type.Optional(Type.String({ maxLength: 80 })) },
      { additionalProperties: false }
    ),
    limitBytes: 1024,
    reply: Asked,
    toBody: ({ address, invitation = '' }) => ({ address, ...(invitation === '' ? {} : { invitation }) })
  },
  besides: { ways: Ways },
  view: ({
    form: { invitation },
    sent: { data, reason },
    beside: {
      ways: { data: ways }
    },
    formToken
  }) =>
    data === undefined
      ? { title: 'Make an account', main: <Refused reason={reason} back="/account/sign-up" /> }
      : {
          title: 'Make an account',
          main: (
            <>
              <p role="status">{data.next}</p>
              <ConfirmForm
                token={formToken}
                request={data.request}
                invitation={invitation}
                termsVersion={ways?.terms_version ?? ''}
              />
            </>
          )
        }
})
