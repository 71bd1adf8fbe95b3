import { definePage } from 'pantry/page'
import { SignInForm } from '../../../accounts/page/forms.tsx'

export default definePage({ view: ({ formToken }) => ({ title: 'Sign in', main: <SignInForm token={formToken} /> }) })
