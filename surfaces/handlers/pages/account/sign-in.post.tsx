import { definePage, Type } from 'pantry/page'
import { SignInForm } from '../../../accounts/page/forms.tsx'
import { Done } from '../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      { username: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) },
      { additionalProperties: false }
    ),
    limitBytes: 1024,
    reply: Done,
    toBody: ({ username, code }) => ({ username, code })
  },
  view: ({ form: { username }, sent: { data, reason }, formToken }) =>
    data === undefined
      ? { title: 'Sign in', main: <SignInForm token={formToken} username={username} refused={reason} /> }
      : { seeOther: '/account' }
})
