import { definePage } from 'pantry/page'
import { PasskeyButton, SignInForm } from '../../../accounts/page/forms.tsx'

export default definePage({
  view: ({ formToken }) => ({
    title: 'Sign in',
    scripts: ['passkey.js'],
    main: (
      <>
        <PasskeyButton act="sign-in">Sign in with a passkey</PasskeyButton>
        <SignInForm token={formToken} />
      </>
    )
  })
})
