import js from '@eslint/js'
import ts from 'typescript-eslint'

export default ts.config(
  { ignores: ['out', 'node_modules', 'media', 'editor', '**/*.mjs', 'vitest.config.ts'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', 300],
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // vscode's Disposable is a class that its own API takes any object for.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  { files: ['eslint.config.js'], extends: [ts.configs.disableTypeChecked] },
)
