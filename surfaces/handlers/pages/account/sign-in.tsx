import { definePage } from 'pantry/page'
import { SignInWays } from '../../../accounts/page/sign-in.tsx'
import { Ways } from '../../../accounts/schemas.ts'

export default definePage({
  shows: { ways: Ways },
  view: ({ shown: { ways }, formToken }) => ({
    title: 'Sign in',
    scripts: ['passkey.js'],
    main: <SignInWays token={formToken} ways={ways} />
  })
})
