import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ManifestFile } from '../../manifest/kind.ts'
import { report } from '../../source/report.ts'
import type { McpManifest } from './manifest.ts'

/** M329: a prompt must declare an argument for each `{name}` in its text, and use every argument that it declares. */
export function checkMcp({ source, manifest: { prompts = {} } }: ManifestFile<McpManifest>): Diagnostic[] {
  return Object.entries(prompts).flatMap(([name, { arguments: given = {}, text }]) => {
    const named = new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one))
    return [
      ...[...named]
        .filter(one => !(one in given))
        .map(one =>
          report(
            source,
            'M329',
            ['prompts', name, 'text'],
            `The text of the prompt names \`{${one}}\`, which is no argument of it.`
          )
        ),
      ...Object.keys(given)
        .filter(one => !named.has(one))
        .map(one =>
          report(
            source,
            'M329',
            ['prompts', name, 'arguments', one],
            `The text of the prompt does not name \`{${one}}\`.`
          )
        )
    ]
  })
}
