import { definePage, Type } from 'pantry/page'
import { MailedCodeForm, Refused } from '../../../accounts/page/forms.tsx'
import { Asked } from '../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object({ address: Type.String({ maxLength: 254 }) }, { additionalProperties: false }),
    limitBytes: 1024,
    reply: Asked,
    toBody: ({ address }) => ({ address })
  },
  view: ({ sent: { data, reason }, formToken }) =>
    data === undefined
      ? { title: 'Your mail address', main: <Refused reason={reason} back="/account" /> }
      : {
          title: 'Your mail address',
          main: (
            <>
              <p role="status">{data.next}</p>
              <MailedCodeForm
                action="/account/mail/confirm"
                token={formToken}
                request={data.request}
                button="Confirm"
              />
            </>
          )
        }
})
