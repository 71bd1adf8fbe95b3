import { definePage, Type } from 'pantry/page'
import { MailedCodeForm, Refused } from '../../../../accounts/page/forms.tsx'
import { Asked } from '../../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object({ username: Type.String({ maxLength: 80 }) }, { additionalProperties: false }),
    limitBytes: 1024,
    reply: Asked,
    toBody: ({ username }) => ({ username })
  },
  view: ({ sent: { data, reason }, formToken }) =>
    data === undefined
      ? { title: 'A code by mail', main: <Refused reason={reason} back="/account/sign-in" /> }
      : {
          title: 'A code by mail',
          main: (
            <>
              <p role="status">{data.next}</p>
              <MailedCodeForm
                action="/account/sign-in/mailed"
                token={formToken}
                request={data.request}
                button="Sign in"
              />
            </>
          )
        }
})
