import { defineForm, Refused, Type } from 'pantry/page'
import { ReportRequest } from '../../reports/schemas.ts'
import { Asked, Done } from '../schemas.ts'
import { MailedCodeForm } from './forms.tsx'

const mailTitle = 'Your mail address'

const mail = defineForm({
  fields: Type.Object({ address: Type.String({ maxLength: 254 }) }, { additionalProperties: false }),
  limitBytes: 1024,
  reply: Asked,
  view: ({ sent: { data, reason }, formToken, back }) => ({
    title: mailTitle,
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <MailedCodeForm action="/account/mail/confirm" token={formToken} request={data.request} button="Confirm" />
        </>
      )
  })
})

const confirmMail = defineForm({
  fields: Type.Object(
    { request: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) },
    { additionalProperties: false }
  ),
  limitBytes: 1024,
  reply: Done,
  view: ({ form: { request }, sent: { data, reason }, path, formToken, back }) =>
    data === undefined
      ? {
          title: mailTitle,
          main: (
            <>
              <Refused reason={reason} back={back} />
              <MailedCodeForm action={path} token={formToken} request={request} button="Try again" />
            </>
          )
        }
      : { seeOther: back }
})

const agree = defineForm({
  title: 'Agree to a publication',
  fields: Type.Object(
    { scope: Type.String({ maxLength: 40 }), notice_version: Type.String({ maxLength: 20 }) },
    { additionalProperties: false }
  )
})

/** Pages of listings, people and collectives have this form as well. */
const report = defineForm({
  fields: ReportRequest,
  limitBytes: 8192,
  reply: Done,
  view: ({ sent: { data, reason }, back }) => ({
    title: 'Report something',
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.done}</p>
          <p>
            What came of it is told under <a href="/account#reports">your account</a>.
          </p>
        </>
      )
  })
})

/** The forms of the page of an account. */
export const accountForms = {
  sign_out: defineForm({ title: 'Sign out', then: '/' }),
  end_session: defineForm({ title: 'End a session' }),
  remove_passkey: defineForm({ title: 'Remove a passkey' }),
  mail,
  confirm_mail: confirmMail,
  remove_mail: defineForm({ title: mailTitle }),
  agree,
  withdraw: defineForm({ title: 'End a publication' }),
  report
}
