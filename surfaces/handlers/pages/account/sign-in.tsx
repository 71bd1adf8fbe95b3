import { defineForm, definePage, Refused, Type } from 'pantry/page'
import { MailedCodeForm, SignInForm } from '../../../people/page/forms.tsx'
import { SignInWays } from '../../../people/page/sign-in.tsx'
import { Asked, Done, Ways } from '../../../people/schemas.ts'

const account = '/account'

const signIn = defineForm({
  fields: Type.Object(
    { username: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) },
    { additionalProperties: false }
  ),
  limitBytes: 1024,
  reply: Done,
  view: ({ form: { username }, sent: { data, reason }, formToken }) =>
    data === undefined
      ? { title: 'Sign in', main: <SignInForm token={formToken} username={username} refused={reason} /> }
      : { seeOther: account }
})

const mail = defineForm({
  fields: Type.Object({ username: Type.String({ maxLength: 80 }) }, { additionalProperties: false }),
  limitBytes: 1024,
  reply: Asked,
  view: ({ sent: { data, reason }, formToken, back }) => ({
    title: 'A code by mail',
    main:
      data === undefined ? (
        <Refused reason={reason} back={back} />
      ) : (
        <>
          <p role="status">{data.next}</p>
          <MailedCodeForm action="/account/sign-in/mailed" token={formToken} request={data.request} button="Sign in" />
        </>
      )
  })
})

const mailed = defineForm({
  fields: Type.Object(
    { request: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) },
    { additionalProperties: false }
  ),
  limitBytes: 1024,
  reply: Done,
  view: ({ form: { request }, sent: { data, reason }, path, formToken, back }) =>
    data === undefined
      ? {
          title: 'Sign in',
          main: (
            <>
              <Refused reason={reason} back={back} />
              <MailedCodeForm action={path} token={formToken} request={request} button="Try again" />
            </>
          )
        }
      : { seeOther: account }
})

export default definePage({
  shows: { ways: Ways },
  forms: { sign_in: signIn, mail, mailed },
  view: ({ shown: { ways }, formToken }) => ({
    title: 'Sign in',
    scripts: ['passkey.js'],
    main: <SignInWays token={formToken} ways={ways} />
  })
})
