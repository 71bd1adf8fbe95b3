import { definePage, Type } from 'pantry/page'
import { MailedCodeForm, Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      { request: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) },
      { additionalProperties: false }
    ),
    limitBytes: 1024,
    reply: Done,
    toBody: ({ request, code }) => ({ request, code })
  },
  view: ({ form: { request }, sent: { data, reason }, formToken }) =>
    data === undefined
      ? {
          title: 'Your mail address',
          main: (
            <>
              <Refused reason={reason} back="/account" />
              <MailedCodeForm action="/account/mail/confirm" token={formToken} request={request} button="Try again" />
            </>
          )
        }
      : { seeOther: '/account' }
})
