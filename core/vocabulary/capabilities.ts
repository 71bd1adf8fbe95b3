/**
 * The capabilities that the code of a kind may request, each with a description for people. The kind's compiler
 * receives only those that the kind lists.
 */
export const capabilities = {
  documents: 'the fixed documents',
  corpora: 'the entries of the corpora',
  registry: 'everything that is declared',
  observations: 'what the process observes of itself',
  handlers: 'code with the services of its root',
  derivations: 'code with the corpora that it declares and everything that is declared, without services',
  views: 'code that writes pages, with the paths of the registry and nothing else',
  site: 'what all pages have in common',
  service: 'the identity of the service',
  ask: 'the answers of other surfaces',
  versions: 'how long the answers of other surfaces stay the same'
} as const

export type Capability = keyof typeof capabilities
