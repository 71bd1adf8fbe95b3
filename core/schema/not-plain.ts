/** Thrown when a schema is wrong or uses more than the supported part of JSON Schema; caught within this folder. */
export class NotPlain extends Error {}
