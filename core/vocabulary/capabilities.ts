/** What the code of a kind may be given, in words for people. A kind names what it asks for; its compiler is given only that. */
export const capabilities = {
  documents: 'the fixed documents',
  corpora: 'the entries of the corpora',
  registry: 'everything that is declared',
  observations: 'what the process observes of itself',
  handlers: 'code with the services of its root',
  derivations: 'code with the corpora that it declares and everything that is declared, without services',
  service: 'the identity of the service',
  ask: 'the answers of other surfaces'
} as const

export type Capability = keyof typeof capabilities
