import { definePage } from 'pantry/page'
import { SignUpForm } from '../../../accounts/page/sign-up.tsx'
import { Ways } from '../../../accounts/schemas.ts'

export default definePage({
  shows: { ways: Ways },
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
