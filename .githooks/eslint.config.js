// The rules of the project that need one file alone: a hook has no time to read all types and all imports.
import tseslint from 'typescript-eslint'
import rules from '../eslint.config.js'

export default tseslint.config(
  ...rules,
  { files: ['**/*.{ts,tsx}'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.{ts,tsx}'], rules: { 'import-x/no-cycle': 'off' } }
)
