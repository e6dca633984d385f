// Holds a JSON file against a JSON schema of draft 7, and says what does not
// fit: node schema.mjs SCHEMA FILE.
import { readFileSync } from 'node:fs'
import Ajv from 'ajv'
import formats from 'ajv-formats'

const [schema, file] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')))
// The schema has words of its own beside those of JSON Schema.
const ajv = formats.default(new Ajv.default({ strict: false, allErrors: true }))
if (!ajv.validate(schema, file)) {
  console.error(ajv.errors.map((e) => `${e.instancePath || 'the file'} ${e.message}`).join('\n'))
  process.exitCode = 1
}
